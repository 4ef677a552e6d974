-- nonReaders are the users who may read a notice and have not, and whether an earlier
-- reminder waits for the time when they begin.
-- name: nonReaders :many
select v.user_id, exists (
  select from notice_reminders m
  join notice_reminder_people p on p.company_id = m.company_id and p.reminder_id = m.id
  where m.company_id = v.company_id and m.notice_id = v.id and p.user_id = v.user_id and p.sent_at is null and p.due_at > @now::timestamptz
) as waiting
from readable_notices v
where v.company_id = @company_id and v.id = @id
  and not exists (select from notice_reads r where r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id)
order by v.user_id;

-- lastReminder is when a notice was reminded of last; nobody else reminds of it
-- until the end of the transaction.
-- name: lastReminder :one
select n.title, n.publish_at, coalesce((select max(m.at) from notice_reminders m where m.company_id = n.company_id and m.notice_id = n.id), 'epoch')::timestamptz as reminded_at
from notices n where n.company_id = @company_id and n.id = @id and n.deleted_at is null
for update of n;

-- name: insertReminder :one
insert into notice_reminders (company_id, notice_id, at, by_user_id, people)
values (@company_id, @notice_id, @now, @by_user_id, @people)
returning id;

-- name: insertReminderPeople :exec
insert into notice_reminder_people (company_id, reminder_id, user_id, due_at)
select @company_id, @reminder_id, unnest(@user_ids::bigint[]), unnest(@due_ats::timestamptz[]);

-- dueReminders are the reminders of every company that are due for somebody.
-- name: dueReminders :many
select p.company_id, p.reminder_id, m.notice_id
from notice_reminder_people p join notice_reminders m on m.company_id = p.company_id and m.id = p.reminder_id
where p.sent_at is null and p.due_at <= @now::timestamptz
group by p.company_id, p.reminder_id, m.notice_id
order by min(p.due_at), p.company_id, p.reminder_id;

-- dueOf are some of the people whom a reminder is due for.
-- name: dueOf :many
select user_id from notice_reminder_people
where company_id = @company_id and reminder_id = @reminder_id and sent_at is null and due_at <= @now::timestamptz
order by user_id limit @size;

-- takeDue returns those of some people whom a reminder is due for, and whether
-- they still may and have to read the notice. Several servers can run it at the
-- same time.
-- name: takeDue :many
select p.user_id, exists (
  select from readable_notices v
  where v.company_id = p.company_id and v.id = @notice_id and v.user_id = p.user_id
    and not exists (select from notice_reads r where r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id)
) as unread
from notice_reminder_people p
where p.company_id = @company_id and p.reminder_id = @reminder_id and p.sent_at is null and p.due_at <= @now::timestamptz
  and p.user_id = any (@user_ids::bigint[])
order by p.user_id
for update of p skip locked;

-- dayTypes are the dates from one on that are no workdays of some users, or only in
-- part: leave, and records of the days that have begun.
-- name: dayTypes :many
select g.user_id, g.work_date, g.leave as day_type from attendance_grants g
where g.company_id = @company_id and g.user_id = any (@user_ids::bigint[]) and g.work_date >= sqlc.arg(first)::date and g.leave <> ''
union
select r.user_id, r.work_date, r.day_type from day_records r
where r.company_id = @company_id and r.user_id = any (@user_ids::bigint[]) and r.work_date between sqlc.arg(first)::date and sqlc.arg(first)::date + 2
  and r.day_type <> 'workday' and not r.extra and r.deleted_at is null;

-- postpone moves a reminder of some people, who are not at work.
-- name: postpone :exec
update notice_reminder_people p set due_at = o.due_at
from (select unnest(@user_ids::bigint[]) as user_id, unnest(@due_ats::timestamptz[]) as due_at) o
where p.company_id = @company_id and p.reminder_id = @reminder_id and p.user_id = o.user_id;

-- name: setSent :exec
update notice_reminder_people set sent_at = @now::timestamptz
where company_id = @company_id and reminder_id = @reminder_id and user_id = any (@user_ids::bigint[]);

-- name: deleteDue :exec
delete from notice_reminder_people
where company_id = @company_id and reminder_id = @reminder_id and user_id = any (@user_ids::bigint[]);
