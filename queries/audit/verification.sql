-- firstBroken is the first change whose row is not the one that was chained, or
-- whose hash is missing, by its number in the chain. It is NotFound where there
-- is none.
-- name: firstBroken :one
with chain as (
  select h.no, h.change_id, h.at, h.hash, lag(h.hash, 1, ''::bytea) over (order by h.no) as hash_before, lag(h.no, 1, 0::bigint) over (order by h.no) as no_before
  from change_hashes h where h.company_id = @company_id
)
select chain.no::bigint as no, chain.change_id::bigint as change_id, case when chain.no <> chain.no_before + 1 then 'gap' when c.id is null then 'removed' else 'altered' end::text as how
from chain left join changes c on c.company_id = @company_id and c.at = chain.at and c.id = chain.change_id
where c.id is null or chain.no <> chain.no_before + 1 or hash_change(chain.hash_before, c) <> chain.hash
order by chain.no limit 1;

-- firstUnchained is the first change that has no hash.
-- name: firstUnchained :one
select c.id from changes c
where c.company_id = @company_id and not exists (select from change_hashes h where h.company_id = c.company_id and h.change_id = c.id)
order by c.id limit 1;

-- chainEnd is the last hash of a company.
-- name: chainEnd :one
select no, hash from change_hashes where company_id = @company_id order by no desc limit 1;

-- hashAt is the hash of a row of the chain.
-- name: hashAt :one
select hash from change_hashes where company_id = @company_id and no = @no;

-- verification is what was found last.
-- name: verification :one
select * from change_verifications where company_id = @company_id;

-- name: storeVerification :exec
insert into change_verifications (company_id, at, checked, last_hash, broken_id, broken_how)
values (@company_id, @at, @checked, @last_hash, @broken_id, @broken_how)
on conflict (company_id) do update set at = excluded.at, checked = excluded.checked, last_hash = excluded.last_hash, broken_id = excluded.broken_id, broken_how = excluded.broken_how;

-- unverified are the companies whose change logs were not verified since a time.
-- name: unverified :many
select c.id from companies c left join change_verifications v on v.company_id = c.id
where v.at is null or v.at < @since::timestamptz order by c.id;
