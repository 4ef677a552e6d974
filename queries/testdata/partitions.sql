create table bot_messages_2026_11 partition of bot_messages for values from ('2026-11-01T00:00:00Z') to ('2026-12-01T00:00:00Z');
create table changes_2026_11 partition of changes for values from ('2026-11-01T00:00:00Z') to ('2026-12-01T00:00:00Z');
create table clock_events_2026_11 partition of clock_events for values from ('2026-11-01T00:00:00Z') to ('2026-12-01T00:00:00Z');
create table day_records_2026_11 partition of day_records for values from ('2026-11-01T00:00:00Z') to ('2026-12-01T00:00:00Z');
create table bot_messages_2026_12 partition of bot_messages for values from ('2026-12-01T00:00:00Z') to ('2027-01-01T00:00:00Z');
create table changes_2026_12 partition of changes for values from ('2026-12-01T00:00:00Z') to ('2027-01-01T00:00:00Z');
create table clock_events_2026_12 partition of clock_events for values from ('2026-12-01T00:00:00Z') to ('2027-01-01T00:00:00Z');
create table day_records_2026_12 partition of day_records for values from ('2026-12-01T00:00:00Z') to ('2027-01-01T00:00:00Z');
