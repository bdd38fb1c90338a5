import { isSallyportError } from '@sallyport/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createCursorCodec } from './cursor.ts'
import { booleanFilter, integerFilter, oneOfFilter, textFilter } from './filters.ts'
import { afterFilter, beforeFilter } from './time-filters.ts'
import { defineListQuery } from './define-list-query.ts'
import type { ListQueryOf } from './list-query.ts'
import { selectRows } from './page.ts'
import { schemaFilter } from './schema-filter.ts'

const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })

const users = defineListQuery({
  sortable: { created_at: {}, name: { nullable: true }, email: {} },
  defaultSort: '-created_at',
  fields: ['id', 'name', 'email'],
  searchable: ['name', 'email'],
  filterable: {
    status: oneOfFilter(['active', 'suspended']),
    createdAfter: afterFilter('created_at'),
    age: integerFilter({ minimum: 0, maximum: 150 }),
    verified: booleanFilter(),
  },
})

function problems(query: string | URLSearchParams, definition: Pick<typeof users, 'parse'> = users) {
  try {
    definition.parse(query, { cursors })
  } catch (error) {
    if (isSallyportError(error)) {
      return { code: error.code, status: error.status, fields: error.details?.map(({ field }) => field) }
    }
    throw error
  }
  return undefined
}

describe('a detail of an invalid list query', () => {
  it.each([
    ['colour=red', 'colour', 'UNKNOWN'],
    ['page=1&page=2', 'page', 'DUPLICATE'],
    ['search=%ff', 'search', 'INVALID_ENCODING'],
    ['search=%00', 'search', 'INVALID_ENCODING'],
    [`search=${'x'.repeat(201)}`, 'search', 'TOO_LONG'],
    ['limit=ten', 'limit', 'WRONG_TYPE'],
    ['limit=0', 'limit', 'TOO_SMALL'],
    ['limit=101', 'limit', 'TOO_LARGE'],
    ['page=99999999', 'page', 'TOO_LARGE'],
    ['cursor=&page=1', 'page', 'CONFLICTING'],
    ['cursor=forged', 'cursor', 'INVALID_CURSOR'],
    ['sort=colour', 'sort', 'NOT_ONE_OF'],
    ['fields=colour', 'fields', 'NOT_ONE_OF'],
    ['status=lost', 'status', 'NOT_ONE_OF'],
    ['createdAfter=today', 'createdAfter', 'INVALID_FORMAT'],
    ['age=x', 'age', 'WRONG_TYPE'],
    ['age=-1', 'age', 'TOO_SMALL'],
    ['age=151', 'age', 'TOO_LARGE'],
    ['verified=maybe', 'verified', 'WRONG_TYPE'],
    ['name=', 'name', 'TOO_SHORT'],
    ['email=x', 'email', 'INVALID_FORMAT'],
  ])('of %s names the field %s and the code %s', (query, field, code) => {
    const named = defineListQuery({
      sortable: ['name'],
      fields: ['name'],
      searchable: 'name',
      filterable: {
        status: oneOfFilter(['active']),
        createdAfter: afterFilter('created_at'),
        age: integerFilter({ minimum: 0, maximum: 150 }),
        verified: booleanFilter(),
        name: textFilter(),
        email: schemaFilter(z.email()),
      },
    })
    expect(() => named.parse(query, { cursors })).toThrow(
      expect.objectContaining({
        details: [{ code, field, in: 'query', message: expect.any(String) as string }],
      }) as Error,
    )
  })
})

describe('a parsed list query', () => {
  it('has the defaults', () => {
    expect(users.parse('', { cursors })).toEqual({
      pagination: { kind: 'offset', page: 1, limit: 20, offset: 0 },
      sort: [
        { field: 'created_at', direction: 'desc', nullable: false, nulls: 'last' },
        { field: 'id', direction: 'desc', nullable: false, nulls: 'last' },
      ],
      filters: {},
      where: { op: 'and', of: [] },
    })
  })

  it('has the requested values', () => {
    const query = users.parse(
      '?page=3&limit=050&sort=name,-email&fields=email,id&search=A%25da&status=active&createdAfter=2026-01-01&age=7&verified=true',
      { cursors },
    )
    expect(query.pagination).toEqual({ kind: 'offset', page: 3, limit: 50, offset: 100 })
    expect(query.sort.map(({ field, direction }) => `${field} ${direction}`)).toEqual([
      'name asc',
      'email desc',
      'id desc',
    ])
    expect(query.fields).toEqual(['email', 'id'])
    expect(query.search).toBe('A%da')
    expect(query.filters).toEqual({
      status: 'active',
      createdAfter: '2026-01-01T00:00:00.000Z',
      age: 7,
      verified: true,
    })
    expect(query.where).toEqual({
      op: 'and',
      of: [
        { op: 'eq', field: 'status', value: 'active' },
        { op: 'gt', field: 'created_at', value: '2026-01-01T00:00:00.000Z' },
        { op: 'eq', field: 'age', value: 7 },
        { op: 'eq', field: 'verified', value: true },
        {
          op: 'or',
          of: [
            { op: 'contains', field: 'name', value: 'A%da' },
            { op: 'contains', field: 'email', value: 'A%da' },
          ],
        },
      ],
    })
  })

  it('is typed by its declaration', () => {
    type Query = ListQueryOf<typeof users>
    expectTypeOf<Query['filters']['status']>().toEqualTypeOf<'active' | 'suspended' | undefined>()
    expectTypeOf<Query['filters']['age']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<NonNullable<Query['fields']>[number]>().toEqualTypeOf<'id' | 'name' | 'email'>()
    expectTypeOf<keyof Query['filters']>().toEqualTypeOf<'status' | 'createdAfter' | 'age' | 'verified'>()
    const bare = defineListQuery({ sortable: ['a'], pagination: 'offset' }).parse('')
    expect(bare.filters).toEqual({})
    expectTypeOf<keyof typeof bare.filters>().toEqualTypeOf<never>()
  })

  it('accepts a URLSearchParams and detects repeated parameters', () => {
    expect(users.parse(new URLSearchParams({ limit: '5' }), { cursors }).pagination.limit).toBe(5)
    expect(problems(new URLSearchParams('limit=5&limit=5'))).toMatchObject({ fields: ['limit'] })
  })

  it('counts characters as JSON Schema does', () => {
    const doors = encodeURIComponent('🚪'.repeat(200))
    const filtered = defineListQuery({
      sortable: ['id'],
      searchable: 'id',
      filterable: { door: textFilter() },
    })
    expect(() => filtered.parse(`search=${doors}&door=${doors}`, { cursors })).not.toThrow()
    for (const query of [`search=${doors}x`, `door=${doors}x`]) {
      expect(() => filtered.parse(query, { cursors })).toThrow('not valid')
    }
  })

  it('ignores an empty search', () => {
    expect(users.parse('search=', { cursors })).not.toHaveProperty('search')
  })

  it('ignores sort keys after the unique key', () => {
    const rows = defineListQuery({ sortable: ['name', 'id'], pagination: 'offset' })
    expect(rows.parse('sort=-id,name').sort).toHaveLength(1)
    expect(rows.parse('sort=-name').sort.map(({ direction }) => direction)).toEqual(['desc', 'desc'])
  })
})

describe('an instant with digits beyond milliseconds', () => {
  const times = defineListQuery({
    sortable: ['id'],
    pagination: 'offset',
    filterable: { after: afterFilter('at'), before: beforeFilter('at') },
  })
  const rows = ['56.788Z', '56.789Z', '56.790Z'].map((end) => ({ id: end, at: `2026-01-31T12:34:${end}` }))
  const found = (query: string) => selectRows(rows, times.parse(query)).rows.map(({ id }) => id)

  it.each([
    ['.789', ['56.790Z'], ['56.788Z']],
    ['.789000000000000', ['56.790Z'], ['56.788Z']],
    // Regression: a row of the same millisecond did not match.
    ['.7890000000001', ['56.790Z'], ['56.788Z', '56.789Z']],
    ['.78999999999999999999999999', ['56.790Z'], ['56.788Z', '56.789Z']],
  ])('compares rows with 56%s', (fraction, after, before) => {
    expect(found(`after=2026-01-31T12:34:56${fraction}Z`)).toEqual(after)
    expect(found(`before=2026-01-31T12:34:56${fraction}Z`)).toEqual(before)
  })

  it('is at most the end of the year 9999', () => {
    const { filters } = times.parse('before=9999-12-31T23:59:59.9999Z')
    expect(filters.before).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe('a list query rejects', () => {
  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.0', 'page'],
    ['page=1e1', 'page'],
    ['page=0x10', 'page'],
    ['page=%205', 'page'],
    ['page=+5', 'page'],
    ['page=', 'page'],
    ['page', 'page'],
    ['page=%D9%A1', 'page'],
    ['page=9999999999999999999999', 'page'],
    [`page=${'9'.repeat(400)}`, 'page'],
    ['page=100001&limit=100', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['sort=', 'sort'],
    ['sort=password', 'sort'],
    ['sort=--name', 'sort'],
    ['sort=name,', 'sort'],
    ['sort=name,name', 'sort'],
    ['sort=name,-name', 'sort'],
    ['sort=Name', 'sort'],
    ['sort=+name', 'sort'],
    ['sort=__proto__', 'sort'],
    ['sort=constructor', 'sort'],
    [`sort=${'name,'.repeat(500)}`, 'sort'],
    ['fields=', 'fields'],
    ['fields=id,id', 'fields'],
    ['fields=id,password', 'fields'],
    ['fields=id%2C%20name', 'fields'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=a%00', 'search'],
    ['search=%ff', 'search'],
    ['search=%zz', 'search'],
    ['search=%', 'search'],
    ['status=gone', 'status'],
    ['status=', 'status'],
    ['status=active&status=active', 'status'],
    ['stat%75s=active&status=active', 'status'],
    ['createdAfter=yesterday', 'createdAfter'],
    ['createdAfter=2026-02-30', 'createdAfter'],
    ['createdAfter=2026-01-01T00:00:00+01:00', 'createdAfter'],
    ['age=151', 'age'],
    ['age=-1', 'age'],
    ['verified=1', 'verified'],
    ['unknown=1', 'unknown'],
    ['__proto__=1', '__proto__'],
    ['toString=1', 'toString'],
    ['page[]=1', 'page[]'],
    ['=1', ''],
    ['??limit=5', '?limit'],
    ['LIMIT=5', 'LIMIT'],
    ['%ff=1', '%ff'],
    ['status[$ne]=active', 'status[$ne]'],
    ['limit=5&limit=6&limit=7', 'limit'],
    ['%6cimit=5&limit=5', 'limit'],
    ['limit=5;page=2', 'limit'],
    ['limit=%EF%BC%95', 'limit'],
    ['search=%c0%af', 'search'],
    ['search=%ed%a0%80', 'search'],
    ['sort=-', 'sort'],
    ['sort=name;drop', 'sort'],
    ['fields=constructor', 'fields'],
    ['createdAfter=2027-01-01T25:00:00Z', 'createdAfter'],
    ['cursor=forged', 'cursor'],
    [`cursor=${'A'.repeat(3000)}`, 'cursor'],
    ['cursor=%F0%9F%9A%AA', 'cursor'],
    ['cursor=&page=1', 'page'],
  ])('%s', (query, field) => {
    expect(problems(query)).toEqual({ code: 'VALIDATION_ERROR', status: 400, fields: [field] })
  })

  it('explains how to encode an offset and how to use cursors', () => {
    expect(() => users.parse('createdAfter=2026-01-01T00:00:00+01:00', { cursors })).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ message: expect.stringContaining('%2B') as string })],
      }) as Error,
    )
    expect(() => users.parse('page=10000001&limit=1', { cursors })).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ message: expect.stringContaining('cursor') as string })],
      }) as Error,
    )
  })

  // Regression: links repeated the digits until the headers were too large.
  it('times with unbounded digits', () => {
    const time = (digits: number) => `createdAfter=2026-01-01T00:00:00.${'0'.repeat(digits)}Z`
    expect(users.parse(time(43), { cursors }).filters.createdAfter).toBe('2026-01-01T00:00:00.000Z')
    expect(() => users.parse(time(44), { cursors })).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ message: expect.stringContaining('64 characters') as string })],
      }) as Error,
    )
  })

  // Regression: a name was cut within a surrogate pair.
  it('unknown names, shortened between characters', () => {
    const fields = (name: string) => problems(`${encodeURIComponent(name)}=1`)?.fields
    expect(fields(`${'x'.repeat(63)}😀y`)).toEqual([`${'x'.repeat(63)}😀…`])
    expect(fields('😀'.repeat(64))).toEqual(['😀'.repeat(64)])
    expect(fields('x\n'.repeat(33))).toEqual([`${'x\n'.repeat(32)}…`])
  })

  it('every problem at once', () => {
    const { fields } =
      problems('page=0&limit=0&sort=x&fields=x&status=x&createdAfter=x&nope=1&search=%00') ?? {}
    expect(fields?.toSorted()).toEqual(
      ['createdAfter', 'fields', 'limit', 'nope', 'page', 'search', 'sort', 'status'].toSorted(),
    )
  })

  it('search and fields without a declaration', () => {
    const bare = defineListQuery({ sortable: ['a'], pagination: 'offset' })
    for (const name of ['search', 'fields']) {
      expect(problems(`${name}=a`, bare as never)).toEqual({
        code: 'VALIDATION_ERROR',
        status: 400,
        fields: [name],
      })
    }
  })

  it('with the configured code and status', () => {
    const strict = defineListQuery({
      sortable: ['a'],
      pagination: 'offset',
      invalid: { code: 'VALIDATION_FAILED' },
    })
    expect(problems('page=0', strict as never)).toMatchObject({ code: 'VALIDATION_FAILED', status: 422 })
  })

  it('a query over the size limits', () => {
    expect(problems(`search=${'x'.repeat(9000)}`)).toMatchObject({ code: 'URI_TOO_LONG', status: 414 })
    expect(problems('a&'.repeat(65))).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
  })
})

describe('cursors', () => {
  const getCursor = (query: string, scope?: string) => {
    const { pagination } = users.parse(query, { cursors, ...(scope !== undefined && { scope }) })
    if (pagination.kind !== 'cursor') throw new Error('not a cursor page')
    return cursors.encode({ at: 'after', position: ['2026-01-01T00:00:00.000Z', 'id'] }, pagination.binding)
  }

  it('start with an empty cursor and continue with nextCursor', () => {
    expect(users.parse('cursor=', { cursors }).pagination).toMatchObject({
      kind: 'cursor',
      anchor: { at: 'start' },
    })
    const { pagination } = users.parse(`limit=7&cursor=${getCursor('cursor=')}`, { cursors })
    expect(pagination).toMatchObject({
      anchor: { at: 'after', position: ['2026-01-01T00:00:00.000Z', 'id'] },
      limit: 7,
    })
  })

  it('do not depend on limit, fields or the order of parameters', () => {
    const cursor = getCursor('cursor=&status=active&age=3')
    expect(problems(`age=3&fields=id&limit=3&status=active&cursor=${cursor}`)).toBeUndefined()
    expect(problems(`age=03&status=active&cursor=${cursor}`)).toBeUndefined()
  })

  it.each(['sort=created_at', 'status=active', 'search=x', 'createdAfter=2026-01-01'])(
    'are rejected under another query: %s',
    (other) => {
      expect(problems(`cursor=${getCursor('cursor=')}&${other}`)?.fields).toEqual(['cursor'])
      expect(
        problems(`cursor=${getCursor(`cursor=&sort=-created_at&${other.replace('sort=', 'age=1&search=')}`)}`)
          ?.fields,
      ).toEqual(['cursor'])
    },
  )

  it('are rejected in another scope', () => {
    expect(problems(`cursor=${getCursor('cursor=', '/posts/1/comments')}`)?.fields).toEqual(['cursor'])
  })

  it('are rejected by a list with other null placement or another number of values', () => {
    const first = defineListQuery({ sortable: { a: { nullable: true, nulls: 'first' } }, defaultSort: 'a' })
    const last = defineListQuery({ sortable: { a: { nullable: true } }, defaultSort: 'a' })
    const { pagination } = first.parse('cursor=', { cursors })
    if (pagination.kind !== 'cursor') throw new Error('not a cursor page')
    const cursor = cursors.encode({ at: 'after', position: [null, 'id'] }, pagination.binding)
    expect(problems(`cursor=${cursor}`, first as never)).toBeUndefined()
    expect(problems(`cursor=${cursor}`, last as never)?.fields).toEqual(['cursor'])
    const short = cursors.encode({ at: 'before', position: [null] }, pagination.binding)
    expect(problems(`cursor=${short}`, first as never)?.fields).toEqual(['cursor'])
  })

  it('are not reported under an invalid sort', () => {
    expect(problems(`sort=nope&cursor=${getCursor('cursor=')}`)?.fields).toEqual(['sort'])
    expect(problems('sort=nope&cursor=')?.fields).toEqual(['sort'])
  })

  // Regression: a malformed cursor was reported only after the sort had been corrected.
  it.each([
    'forged',
    'A'.repeat(40),
    `${getCursor('cursor=')}A`,
    `${getCursor('cursor=')}%3D`,
    ...['{}', '7', '["after",["bigint","x"]]', '["beside",1]', '["start",1]'].map((payload) =>
      Buffer.from(' '.repeat(16) + payload).toString('base64url'),
    ),
  ])('are reported under an invalid sort when malformed: %s', (cursor) => {
    expect(problems(`sort=nope&cursor=${cursor}`)?.fields).toEqual(['sort', 'cursor'])
  })

  it('are unknown to offset lists and required by cursor lists', () => {
    const offset = defineListQuery({ sortable: ['a'], pagination: 'offset' })
    expect(problems('cursor=', offset as never)?.fields).toEqual(['cursor'])
    const cursor = defineListQuery({ sortable: ['a'], pagination: 'cursor' })
    expect(cursor.parse('', { cursors }).pagination.kind).toBe('cursor')
    expect(problems('page=1', cursor as never)?.fields).toEqual(['page'])
  })

  // Regression: only a request with a cursor threw, which tests of a first page did not show.
  it.each(['both', 'cursor'] as const)('need a codec in a list of %s pages for any query', (pagination) => {
    const list = defineListQuery({ sortable: ['a'], pagination })
    for (const query of ['', 'limit=5', 'page=2', 'cursor=', 'nope=1'])
      expect(() => list.parse(query)).toThrow(
        new TypeError(
          'A list query with cursor pages needs cursors: pass a codec to parse or readRequest, or declare offset pages',
        ),
      )
  })
})

describe('a contradictory declaration', () => {
  it.each([
    ['a default sort that is not sortable', { sortable: ['a'], defaultSort: 'b' }],
    ['a repeated sortable field', { sortable: ['a', 'a'] }],
    ['a repeated field', { sortable: ['a'], fields: ['a', 'a'] }],
    ['a name with a comma', { sortable: ['a,b'] }],
    ['a descending name', { sortable: ['-a'] }],
    ['a filter named like a parameter', { sortable: ['a'], filterable: { page: textFilter() } }],
    ['a default limit over the maximum', { sortable: ['a'], defaultLimit: 200 }],
    ['a maxLimit of 0', { sortable: ['a'], maxLimit: 0 }],
    // Regression: with NaN no query was too long.
    ['a maxQueryLength of NaN', { sortable: ['a'], maxQueryLength: Number.NaN }],
    ['a maxParameters of 0', { sortable: ['a'], maxParameters: 0 }],
    ['fields as a string', { sortable: ['a'], fields: 'id' }],
    ['a success status for invalid queries', { sortable: ['a'], invalid: { status: 200 } }],
    ['a nullable unique key', { sortable: { id: { nullable: true } } }],
  ])('throws a TypeError: %s', (_, options) => {
    expect(() => defineListQuery(options as Parameters<typeof defineListQuery>[0])).toThrow(TypeError)
  })

  it('throws a TypeError for a filter that accepts nothing', () => {
    expect(() => oneOfFilter([])).toThrow(TypeError)
    expect(() => textFilter({ maxLength: Number.NaN })).toThrow(TypeError)
    expect(() => integerFilter({ minimum: Number.NaN })).toThrow(TypeError)
    expect(() => integerFilter({ minimum: 2, maximum: 1 })).toThrow(TypeError)
  })
})
