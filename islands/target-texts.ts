// The translated texts of the target dialog. {n} is a number, {name} a target.
export type Texts = {
  label: string; // label of the chips
  empty: string; // shown instead if nothing is selected
  choose: string;
  more: string; // {n} more chips
  remove: string; // {name}
  removed: string; // {name}, {n} remaining; for screen readers
  title: string;
  text: string; // below the title
  close: string;
  departments: string;
  people: string;
  loading: string;
  failed: string;
  retry: string;
  filter: string; // label of the filter for departments
  filter_none: string;
  filter_found: string; // {n}; for screen readers
  children: string; // on a selected department: including those below it
  covered: string; // {name} of the department that covers this one
  search: string; // label of the search for people
  search_hint: string; // shown before the first search
  search_short: string;
  search_ignored: string;
  searching: string;
  search_none: string;
  search_found: string; // {n}
  search_more: string; // the button below them
  search_further: string; // {n}, if there are more
  chosen: string;
  chosen_count: string; // {n}; for screen readers
  chosen_empty: string;
  include: string; // switch: include sub-departments
  include_of: string; // {name}
  clear: string;
  taken: string; // {policy} that has taken a target
  taken_from: string; // {policy} that takes a target on a {date}
  moved: string; // {policy} that a selected target leaves
  fixed: string; // {policy} that a selected target cannot leave
  moves: string; // {n} selected targets leave other policies
  moves_one: string; // the same of one target
  skip: string; // button: do not move them
  fixed_count: string; // {n} selected targets cannot leave other policies
  fixed_one: string; // the same of one target
  leave_out: string; // button: remove them from the selection
  limit: string; // {max}
  cancel: string;
  apply: string; // {n}
};
