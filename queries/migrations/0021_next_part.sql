-- Among a million people a search for one of them spent most of its time looking
-- for a bit among thousands of zeros, one after the other.

-- +goose Up
-- +goose StatementBegin
-- next_part is the first part, from one on, whose bit is set; null when none is.
-- Empty bytes are passed by whole.
create or replace function next_part(parts bit varying, no integer) returns integer language plpgsql immutable parallel safe as $$
declare
  rest constant bit varying := substring(parts from no + 1);
  bytes constant bytea := substring(varbit_send(rest) from 5); -- behind their number
  passed constant integer := 8 * (length(bytes) - length(ltrim(bytes, '\x00'::bytea)));
begin
  return no + passed + nullif(position(B'1' in substring(rest from passed + 1 for 8)), 0) - 1;
end
$$;
-- +goose StatementEnd
