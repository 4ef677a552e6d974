// The translated texts of the IP range editor. {n} is a number.
export type Texts = {
  caption: string; // caption of the table
  number: string; // column headings
  name: string;
  range: string;
  addresses: string;
  action: string;
  empty: string;
  add: string;
  paste: string; // button that opens the field for many lines
  count: string; // {n}, {max}
  full: string; // {max}
  name_of: string; // {n}: the label of a row's name
  range_of: string; // {n}: the label of a row's range
  remove: string; // {name}, or its number
  removed: string; // {name}, {n} remaining; for screen readers
  repeated: string; // {note}: a warning, {n} ranges that have it
  here: string; // the reader's own address is in the range
  name_missing: string;
  name_long: string;
  matches: string; // {address}, {name}
  matches_none: string; // {address}
  lines: string; // label of the field for many lines
  lines_help: string;
  lines_add: string;
  added: string; // {n}
  left_out: string; // {n}, {max}
  bad: string; // {n} invalid lines
  bad_line: string; // {n} is the line, {text}, {problem}
  bad_more: string; // {n} more lines
};
