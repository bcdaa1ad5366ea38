-- Compares the stones rebuilt from turns.parquet with the boards of endings.parquet.
-- Returns the number of differing points and the number of stones.
with events as (
  select file, game, point, coalesce(color::varchar, '') as stone, 2 * step as place from 'turns.parquet' where kind in ('play', 'setup')
  union all
  select file, game, unnest(string_split(removed, ';')), '', 2 * step + 1 from 'turns.parquet' where removed is not null
), rebuilt as (
  select file, game, point, arg_max(stone, place) as stone from events group by file, game, point having arg_max(stone, place) <> ''
), letters as (
  select 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ' as names
), boards as (
  select file, game, unnest(string_split(board, '/')) as line, generate_subscripts(string_split(board, '/'), 1) as y from 'endings.parquet'
), cells as (
  select file, game, y, unnest(string_split(line, '')) as sign, generate_subscripts(string_split(line, ''), 1) as x from boards
), shown as (
  select file, game, names[x] || names[y] as point, if(sign = 'X', 'B', 'W') as stone from cells, letters where sign <> '.'
)
select (select count(*) from ((from rebuilt except from shown) union all (from shown except from rebuilt))) as different,
       (select count(*) from shown) as stones
