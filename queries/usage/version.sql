-- noteChange makes every process count files or clients again. It is the last statement
-- of a transaction, because others that call it wait until the transaction ends.
-- name: noteChange :exec
select note_change(@company_id, @part::text);
