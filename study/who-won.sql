-- The tables of "Who really won?" (study/README.md), from the folder `audit`:
--   jigo report --exit-zero --dead settled,static,playouts --format parquet --out audit games/
--   duckdb < study/who-won.sql

-- A share in percent with its 95 % interval (Wilson 1927).
create macro share(k, n) as format('{:.2f} ({:.2f} to {:.2f})', 100 * k / n,
  100 * greatest(0, k / n + 1.9208 / n - 1.96 * sqrt(k / n * (1 - k / n) / n + 0.9604 / n / n)) / (1 + 3.8416 / n),
  100 * (k / n + 1.9208 / n + 1.96 * sqrt(k / n * (1 - k / n) / n + 0.9604 / n / n)) / (1 + 3.8416 / n));

-- The level of a rank: 9 for 9d, 1 for 1d, 0 for 1k, -1 for 2k.
create macro level(grade) as case right(grade, 1)
  when 'd' then try_cast(left(grade, -1) as integer) when 'k' then 1 - try_cast(left(grade, -1) as integer) end;

-- Games with a recorded margin and a confident count. `wrong`: the count contradicts the record.
create view decided as
  select games.*, stated, counted, results.difference as points, cause, results.verdict = 'contradicted' as wrong,
    left(stated, 1) <> left(counted, 1) as other_winner, try_cast(substr(counted, 3) as double) as size,
    least(level(black_rank), level(white_rank)) as weaker
  from 'audit/results.parquet' results join 'audit/games.parquet' games using (file, game)
  where results.confidence >= 0.9 and results.verdict <> 'unsettled' and results.difference is not null;

-- Contradicted results by the value of an expression, of the chosen games.
create macro tally(cell, is_chosen) as table
  select cell as games_with, count(*) as games, count_if(wrong) as wrong, share(count_if(wrong), count(*)) as percent,
    count_if(wrong and other_winner) as other_winner, median(abs(points)) filter (wrong) as points
  from decided where is_chosen group by 1 order by 1;

-- Where and when?
from tally(dialect, true);
from tally(year, dialect = 'kgs');

-- How clear was the result? Games of KGS since 2001.
from tally(case when size < 5 then '1. under 5' when size < 10 then '2. 5 to 10' when size < 20 then '3. 10 to 20'
  when size < 40 then '4. 20 to 40' else '5. 40 and more' end, dialect = 'kgs' and year > 2000);

-- By whom?
from tally(case when weaker <= -8 then '1. 9k and weaker' when weaker <= 0 then '2. 8k to 1k'
  when weaker <= 5 then '3. 1d to 5d' else '4. 6d and more' end, dialect = 'kgs' and year > 2000 and weaker is not null);
from tally(case when handicap >= 5 then '5 to 9' when handicap >= 2 then '2 to 4' else 'none' end,
  dialect = 'kgs' and year > 2000);
from tally(ruleset, dialect = 'kgs' and year > 2000);

-- Why, and by how much?
select regexp_replace(cause, '( ?-?[0-9.]+$|: .*| [BW] [A-T][0-9].*)', '') as kind, count(*) as games, count_if(other_winner) as other_winner,
  median(abs(points)) as points, max(abs(points)) as most
  from decided where wrong and dialect = 'kgs' group by 1 order by 2 desc, 1;

-- Every contradicted result.
copy (select dialect as server, date, stated, counted, points, cause, confidence
  from decided where wrong order by all) to 'verdicts.csv';
