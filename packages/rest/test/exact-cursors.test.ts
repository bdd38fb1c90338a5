import { describeWith } from '@sallyport/test-support/services'
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerList } from '../src/answer-list.ts'
import { createCursorCodec } from '../src/cursor.ts'
import { defineListQuery } from '../src/define-list-query.ts'
import { createListLoader } from '../src/kysely/index.ts'
import type { SqlListOptions } from '../src/kysely/list-query.ts'
import type { Scalar } from '../src/scalar.ts'
import { afterFilter } from '../src/time-filters.ts'

interface Tables {
  readings: Record<(typeof fields)[number], unknown> & { readonly id: number }
}

const fields = ['at', 'local', 'single', 'double', 'amount', 'big', 'maybe_at'] as const
const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
const create = `
  create table readings (id int primary key, at timestamptz, local timestamp, single real, "double" float8, amount numeric,
    big bigint, maybe_at timestamptz);
  insert into readings select n, '2026-01-01T00:00:00Z'::timestamptz + n / 2 * interval '100 microseconds',
    '2026-01-01'::timestamp + n * interval '1 microsecond', n / 7.0, n / 7.0, n / 7.0, 9007199254740990 + n,
    case when n % 3 = 0 then null else now() + n * interval '1 microsecond' end from generate_series(1, 12) n;
  update readings set at = 'infinity', "double" = 'NaN', amount = 'NaN', single = 'Infinity' where id = 5;
  update readings set at = '0044-03-15 BC', "double" = '-Infinity', single = 'NaN' where id = 6;
`

describeWith('postgres', (postgres) => {
  let pool: pg.Pool
  let db: Kysely<Tables>
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: postgres().url })
    await pool.query(create)
    db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  })
  afterAll(() => db.destroy())

  /** Reads all pages and returns the ids. */
  async function walk(
    field: string,
    sort: string,
    given = db,
    options: SqlListOptions = {},
  ): Promise<readonly number[]> {
    const list = defineListQuery({ sortable: { [field]: { nullable: true } }, pagination: 'cursor' })
    const load = createListLoader(given.selectFrom('readings').selectAll(), options)
    const ids: number[] = []
    let cursor = ''
    do {
      const query = list.parse(`sort=${sort}&limit=2&cursor=${cursor}`, { cursors })
      const { body } = await answerList(query, { address: { url: '/readings', query: '' }, cursors }, load)
      if (!('nextCursor' in body.meta)) throw new Error('not a cursor page')
      ids.push(...body.data.map(({ id }) => id))
      cursor = body.meta.hasMore ? body.meta.nextCursor : ''
    } while (cursor !== '' && ids.length < 30)
    return ids
  }

  // Regression: pages repeated rows without end, because the driver rounds times to milliseconds; NaN and infinity threw.
  it.each(fields.flatMap((field) => [field, `-${field}`]))(
    'pages sorted by %s have each row once',
    async (key) => {
      const field = key.replace('-', '') as (typeof fields)[number]
      const direction = key.startsWith('-') ? 'desc' : 'asc'
      const { rows } = await sql<{
        id: number
      }>`select id from readings order by ${sql.ref(field)} ${sql.raw(direction)} nulls last, id ${sql.raw(direction)}`.execute(
        db,
      )
      expect(await walk(field, key)).toEqual(rows.map(({ id }) => id))
    },
  )

  it('works with a plugin that converts names', async () => {
    const camel = db.withPlugin(new CamelCasePlugin({ underscoreBeforeDigits: true }))
    expect(await walk('maybeAt', 'maybeAt', camel)).toEqual(await walk('maybe_at', 'maybe_at'))
  })

  // Regression: a Date of the position repeated the first page without end, and one of its text as a number threw.
  it.each([
    ['a Date', (value: Scalar) => new Date(String(value))],
    ['a Date of milliseconds', (value: Scalar) => new Date(Number(value))],
  ])('does not convert a position to %s', async (_, toParameter) => {
    expect(await walk('at', 'at', db, { toParameter })).toEqual(await walk('at', 'at'))
  })

  it('converts the value of a filter of a cursor page', async () => {
    const list = defineListQuery({
      sortable: ['id'],
      filterable: { local: afterFilter('local') },
      pagination: 'cursor',
    })
    const load = createListLoader(db.selectFrom('readings').select('id'), {
      toParameter: () => '2026-01-01 00:00:00.000010',
    })
    const { rows } = await load(list.parse('local=2025-01-01T00:00:00Z', { cursors }))
    expect(rows.map(({ id }) => id)).toEqual([11, 12])
  })

  it('adds no field to the rows', async () => {
    const list = defineListQuery({ sortable: ['id'], pagination: 'cursor' })
    const { rows } = await createListLoader(db.selectFrom('readings').select('id'))(
      list.parse('cursor=&limit=1', { cursors }),
    )
    expect(rows.map((row) => JSON.stringify(row))).toEqual(['{"id":1}', '{"id":2}'])
  })
})
