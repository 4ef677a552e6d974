// The texts of the target dialog, translated. {n} is a number, {name} a target.
export type Texts = {
  label: string; // of the chips
  empty: string; // in their place when nothing is chosen
  choose: string;
  more: string; // {n} further chips
  remove: string; // {name}
  removed: string; // {name}, {n} that are left; read out
  title: string;
  text: string; // below the title
  close: string;
  departments: string;
  people: string;
  loading: string;
  failed: string;
  retry: string;
  filter: string; // departments
  filter_none: string;
  filter_found: string; // {n}; read out
  children: string; // on a chosen department: with those below it
  covered: string; // {name} of the department that covers this one
  search: string; // people
  search_hint: string; // before anything is searched
  search_short: string;
  search_many: string;
  searching: string;
  search_none: string;
  search_found: string; // {n}
  search_more: string; // the button below them
  search_further: string; // {n}, when there are more
  chosen: string;
  chosen_count: string; // {n}; read out
  chosen_empty: string;
  include: string; // the switch: include sub-departments
  include_of: string; // {name}
  clear: string;
  taken: string; // {policy} that a target follows now
  moved: string; // {policy} that a chosen target leaves
  moves: string; // {n} chosen targets leave other policies
  skip: string; // do not move them
  limit: string; // {max}
  cancel: string;
  apply: string; // {n}
};
