-- Lines of logs, in rows: nothing is derived from them, and nothing but purge changes one.
-- TAG is a word that keeps the roles of this database apart from those of others on the server.

create table varves.ledger (
  id bigint generated always as identity primary key,
  name text collate "C" not null unique,
  founded text not null default '',          -- the project's identity, from the first push
  head bigint not null default 0,            -- how many lines it has: positions have no gaps
  erased bigint not null default 0           -- how many lines were purged
);

create table varves.line (
  ledger bigint not null references varves.ledger,
  pos bigint not null,                       -- in order of commit, from 1
  log text collate "C" not null,
  owner text collate "C" not null,           -- the person, for a private or global log; else ''
  segment text collate "C" not null,
  ord int not null,                          -- the number in its segment, from 0
  h bytea not null,                          -- the digest: the last field of the line
  purged boolean not null,
  line text collate "C" not null,            -- ASCII, as it stands in the file
  pushed_by text not null,
  pushed_at timestamptz not null,
  primary key (ledger, pos)
) partition by hash (ledger);

create unique index line_once on varves.line (ledger, log, owner, segment, h);

create table varves.segment (
  ledger bigint not null references varves.ledger,
  log text collate "C" not null,
  owner text collate "C" not null,
  name text collate "C" not null,
  lines int not null,
  last bytea not null,
  purged int not null,
  primary key (ledger, log, owner, name)
) partition by hash (ledger);

create table varves.pack (
  ledger bigint not null references varves.ledger,
  log text collate "C" not null,
  owner text collate "C" not null,
  name text collate "C" not null,
  header text not null,
  primary key (ledger, log, owner, name)
) partition by hash (ledger);

create table varves.blob (
  ledger bigint not null references varves.ledger,
  log text collate "C" not null,
  owner text collate "C" not null,
  digest bytea not null,
  content bytea not null,
  primary key (ledger, log, owner, digest)
) partition by hash (ledger);

do $$
begin
  for n in 0..15 loop
    execute format('create table varves.line_%s partition of varves.line for values with (modulus 16, remainder %s)', n, n);
    execute format('create table varves.segment_%s partition of varves.segment for values with (modulus 16, remainder %s)', n, n);
    execute format('create table varves.pack_%s partition of varves.pack for values with (modulus 16, remainder %s)', n, n);
    execute format('create table varves.blob_%s partition of varves.blob for values with (modulus 16, remainder %s)', n, n);
  end loop;
end $$;

-- When a ledger was last announced. Not logged, so a hint costs no sync.
create unlogged table varves.hint (ledger bigint primary key, at timestamptz not null);

-- Who asks: the role set for this transaction, for example by a server that acts for many people,
-- else the role that connected. A function that runs with its owner's rights has the same answer.
create function varves.me() returns text language sql stable as
  $$ select coalesce(nullif(current_setting('role'), 'none'), session_user::text) $$;

-- Null, and so closed, if the roles of the ledger do not exist.
create function varves.may_read(ledger bigint) returns boolean language sql stable as
  $$ select pg_has_role(varves.me()::name, to_regrole('varves_TAG_' || ledger), 'member') $$;

create function varves.may_write(ledger bigint) returns boolean language sql stable as
  $$ select pg_has_role(varves.me()::name, to_regrole('varves_TAG_' || ledger || 'w'), 'member') $$;

-- Rows are shown to those who may read the ledger, and personal rows to their owner alone.
do $$
declare one text;
begin
  foreach one in array array['line', 'segment', 'pack', 'blob'] loop
    execute format('alter table varves.%I enable row level security', one);
    execute format('alter table varves.%I force row level security', one);
    execute format('create policy shown on varves.%I for select using '
      '(varves.may_read(ledger) and (owner = '''' or owner = varves.me()))', one);
    execute format('create policy kept on varves.%I to %I using (true) with check (true)',
      one, current_user);
    execute format('grant select on varves.%I to public', one);
  end loop;
  execute 'alter table varves.ledger enable row level security';
  execute 'alter table varves.ledger force row level security';
  execute 'create policy shown on varves.ledger for select using (varves.may_read(id))';
  execute format('create policy kept on varves.ledger to %I using (true) with check (true)',
    current_user);
  execute 'grant select on varves.ledger to public';
end $$;

create function varves.owner_of(log text) returns text language sql stable as
  $$ select case when log in ('private', 'global') then varves.me() else '' end $$;

-- Refuse who may not write; the error is the same whether the ledger exists or not.
create function varves.check_writer(ledger bigint) returns void language plpgsql stable as $$
begin
  if varves.may_write(ledger) is not true then
    raise insufficient_privilege using message = 'no right to write to this ledger';
  end if;
end $$;

-- Store lines; return how many of them are new. The lock on the ledger's row gives positions
-- without gaps and is held for this call alone.
create function varves.push(ledger bigint, log text, segments text[], ords int[], lines text[])
returns int language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '5s' as $$
declare
  mine text := varves.owner_of(push.log);
  start bigint;
  added int;
begin
  perform varves.check_writer(push.ledger);
  if push.log !~ '^(project|private|global|team:[^/]+)$' then
    raise invalid_parameter_value using message = 'not the name of a log';
  end if;
  select l.head into start from varves.ledger l where l.id = push.ledger for update;
  insert into varves.line
  select push.ledger, start + row_number() over (order by g.n), push.log, mine, g.segment, g.ord,
         g.h, substr(g.line, length(g.line) - 156, 14) = ',"purged":true', g.line,
         varves.me(), clock_timestamp()
  from (
    select g.n, g.segment, g.ord, g.line,
           decode(substr(g.line, length(g.line) - 65, 64), 'hex') as h
    from unnest(push.segments, push.ords, push.lines) with ordinality as g(segment, ord, line, n)
  ) g
  left join lateral (
    select true as stored from varves.line o
    where o.ledger = push.ledger and o.log = push.log and o.owner = mine
      and o.segment = g.segment and o.h = g.h
    limit 1
  ) o on true
  where o.stored is null
  on conflict do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    update varves.ledger l set head = start + added where l.id = push.ledger;
    perform varves.count_segments(push.ledger, push.log, mine, push.segments);
  end if;
  return added;
end $$;

-- Bring the state of some segments up to date.
create function varves.count_segments(ledger bigint, log text, owner text, names text[])
returns void language sql as $$
  insert into varves.segment
  select distinct on (o.segment) ledger, log, owner, o.segment,
         count(*) over w, o.h, count(*) filter (where o.purged) over w
  from varves.line o
  where o.ledger = count_segments.ledger and o.log = count_segments.log
    and o.owner = count_segments.owner and o.segment = any (names)
  window w as (partition by o.segment)
  order by o.segment, o.ord desc, o.pos desc
  on conflict (ledger, log, owner, name)
  do update set lines = excluded.lines, last = excluded.last, purged = excluded.purged
$$;

create function varves.put_packs(ledger bigint, log text, names text[], headers text[])
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform varves.check_writer(put_packs.ledger);
  insert into varves.pack
  select put_packs.ledger, put_packs.log, varves.owner_of(put_packs.log), g.name, g.header
  from unnest(names, headers) as g(name, header)
  on conflict do nothing;
end $$;

create function varves.put_blob(ledger bigint, log text, content bytea)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform varves.check_writer(put_blob.ledger);
  insert into varves.blob values (put_blob.ledger, put_blob.log, varves.owner_of(put_blob.log),
    sha256(put_blob.content), put_blob.content)
  on conflict do nothing;
end $$;

-- Take the content from lines; the purged form of a line follows from the line itself.
create function varves.purge(ledger bigint, log text, digests bytea[])
returns int language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '5s' as $$
declare
  mine text := varves.owner_of(purge.log);
  names text[];
  gone int;
begin
  perform varves.check_writer(purge.ledger);
  perform 1 from varves.ledger l where l.id = purge.ledger for update;
  with done as (
    update varves.line o
    set line = left(o.line, strpos(o.line, ',"data":') - 1) || ',"purged":true' || right(o.line, 143),
        purged = true
    where o.ledger = purge.ledger and o.log = purge.log and o.owner = mine and not o.purged
      and o.h = any (purge.digests) and strpos(o.line, ',"data":') > 0
    returning o.segment
  )
  select count(*), array_agg(distinct done.segment) into gone, names from done;
  if gone > 0 then
    update varves.ledger l set erased = l.erased + gone where l.id = purge.ledger;
    perform varves.count_segments(purge.ledger, purge.log, mine, names);
  end if;
  return gone;
end $$;

create function varves.drop_blobs(ledger bigint, log text, digests bytea[])
returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  perform varves.check_writer(drop_blobs.ledger);
  delete from varves.blob b
  where b.ledger = drop_blobs.ledger and b.log = drop_blobs.log
    and b.owner = varves.owner_of(drop_blobs.log) and b.digest = any (digests);
  get diagnostics gone = row_count;
  return gone;
end $$;

-- Record the project's identity at the first push, and return the recorded one.
create function varves.identify(ledger bigint, ours text)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare found text;
begin
  if ours <> '' and varves.may_write(identify.ledger) then
    update varves.ledger l set founded = ours where l.id = identify.ledger and l.founded = '';
  end if;
  select l.founded into found from varves.ledger l
  where l.id = identify.ledger and varves.may_read(l.id);
  return coalesce(found, '');
end $$;

-- Everything that a call needs to know first, in one question. It answers only who may read.
create function varves.greet(name text)
returns table (step int, ledger bigint, everybody bigint) language sql stable as $$
  select (select max(m.n) from varves.migration m),
         (select l.id from varves.ledger l where l.name = greet.name),
         (select l.id from varves.ledger l where l.name = 'global')
$$;

-- Tell followers that there is something new: a hint, at most five times a second for a ledger.
create function varves.announce(ledger bigint)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform varves.check_writer(announce.ledger);
  insert into varves.hint as h values (announce.ledger, clock_timestamp())
  on conflict on constraint hint_pkey do update set at = excluded.at
  where h.at < excluded.at - interval '200 ms';
  if found then
    perform pg_notify('varves_' || announce.ledger, '');
  end if;
end $$;

-- Nobody calls a function that changes rows except through the checks above.
do $$
declare one regprocedure;
begin
  for one in select p.oid from pg_proc p where p.pronamespace = 'varves'::regnamespace loop
    execute format('revoke all on function %s from public', one);
  end loop;
end $$;
grant usage on schema varves to public;
grant execute on function varves.me(), varves.may_read(bigint), varves.may_write(bigint),
  varves.push(bigint, text, text[], int[], text[]), varves.put_packs(bigint, text, text[], text[]),
  varves.put_blob(bigint, text, bytea), varves.purge(bigint, text, bytea[]),
  varves.drop_blobs(bigint, text, bytea[]), varves.identify(bigint, text),
  varves.announce(bigint), varves.greet(text) to public;
