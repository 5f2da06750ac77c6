-- Who asks is a person. A role without login is a group: who sets one stays who they are, so no
-- member can push in the name of a group.
create function varves.person(role text) returns text language sql stable
  return case when exists (select from pg_catalog.pg_roles r where r.rolname = role and r.rolcanlogin)
    then role else session_user::text end;

-- These bodies are read once, here: a caller's search_path has no influence on them.
create or replace function varves.me() returns text language sql stable
  return case when current_setting('role') in ('none', session_user::text) then session_user::text
    else varves.person(current_setting('role')) end;

create or replace function varves.may_read(ledger bigint) returns boolean language sql stable
  return pg_has_role(varves.me()::name, to_regrole('varves_TAG_' || ledger), 'member');

create or replace function varves.may_write(ledger bigint) returns boolean language sql stable
  return pg_has_role(varves.me()::name, to_regrole('varves_TAG_' || ledger || 'w'), 'member');

create or replace function varves.owner_of(log text) returns text language sql stable
  return case when log in ('private', 'global') then varves.me() else '' end;
