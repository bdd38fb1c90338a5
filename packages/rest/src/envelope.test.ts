import { describe, expect, expectTypeOf, it } from 'vitest'
import { createCursorCodec } from './cursor.ts'
import { defineListQuery } from './define-list-query.ts'
import { cursorEnvelope, dataEnvelope, offsetEnvelope, type OffsetEnvelope } from './envelope.ts'
import { cursorPage, pickFields, selectRows } from './page.ts'

describe('envelopes', () => {
  it('wraps one resource or many', () => {
    expect(dataEnvelope({ id: 1 })).toEqual({ data: { id: 1 } })
    expect(dataEnvelope([])).toEqual({ data: [] })
  })

  it.each([
    [0, 0],
    [1, 1],
    [20, 1],
    [21, 2],
  ])('reports for %i items %i pages', (total, totalPages) => {
    const body = offsetEnvelope(['a'], { page: 1, limit: 20, total })
    expect(body).toEqual({ data: ['a'], meta: { page: 1, limit: 20, total, totalPages } })
    expectTypeOf(body).toEqualTypeOf<OffsetEnvelope<string>>()
  })

  it('supports the forms of the specification', () => {
    const page = { page: 2, limit: 1, total: 3 }
    const short = offsetEnvelope(['a'], page, { form: 'without-total-pages' })
    expect(short).toEqual({ data: ['a'], meta: page })
    expectTypeOf(short.meta).toEqualTypeOf<Omit<OffsetEnvelope<string>['meta'], 'totalPages'>>()
    const bare = offsetEnvelope(['a'], page, { form: 'bare' })
    expect(bare).toEqual(['a'])
    expectTypeOf(bare).toEqualTypeOf<readonly string[]>()
  })

  // Regression: these values appeared in the body unchanged, as null, or removed the body.
  it.each([
    [{ total: '25' }, 'total must be a safe integer of at least 0'],
    [{ total: Number.NaN }, 'total must be a safe integer of at least 0'],
    [{ limit: 0 }, 'limit must be a safe integer of at least 1'],
    [{ page: undefined }, 'page must be a safe integer of at least 1'],
  ])('rejects the page %j', (wrong, message) => {
    const page = { page: 1, limit: 20, total: 25, ...wrong } as never
    expect(() => offsetEnvelope([], page)).toThrow(new TypeError(message))
  })

  it('rejects an unknown form', () => {
    expect(() => offsetEnvelope([], { page: 1, limit: 1, total: 0 }, { form: 'Bare' as never })).toThrow(
      new TypeError("form must be 'full', 'without-total-pages' or 'bare'"),
    )
  })

  it('carries only declared fields', () => {
    const extra = { nextCursor: 'c', hasMore: false, secret: 1 }
    expect(cursorEnvelope([], extra)).toEqual({ data: [], meta: { nextCursor: 'c', hasMore: false } })
    const page = { page: 1, limit: 1, total: 0, secret: 1 }
    expect(offsetEnvelope([], page).meta).not.toHaveProperty('secret')
  })
})

it('pickFields returns exactly the named fields', () => {
  const user = { id: '1', name: null, email: 'x' }
  expect(pickFields(user, ['name', 'id'])).toEqual({ id: '1', name: null })
  expect(pickFields(user, ['constructor', '__proto__'])).toEqual({})
  expect(pickFields(user, undefined)).toBe(user)
})

it('selectRows returns the page and the total', () => {
  const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
  const list = defineListQuery({ sortable: ['n'], searchable: 'name' })
  const rows = ['b', 'A', 'ab', 'c', 'ba'].map((name, n) => ({ id: String(n), n, name }))
  const names = (query: string) => {
    const { rows: found, total } = selectRows(rows, list.parse(query, { cursors }))
    return [found.map(({ name }) => name).join(), total]
  }
  expect(names('search=A&sort=-n&limit=2')).toEqual(['ba,ab', 3])
  expect(names('search=A&sort=-n&limit=2&page=2')).toEqual(['A', 3])
  expect(names('search=A&sort=-n&limit=2&page=3')).toEqual(['', 3])
  expect(names('search=A&sort=-n&limit=2&cursor=')).toEqual(['ba,ab,A', 3])
})

it('cursorPage reports whether more rows follow', () => {
  const list = defineListQuery({ sortable: ['id'], pagination: 'cursor' })
  const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
  const query = list.parse('limit=2', { cursors })
  const hasMore = (...ids: number[]) =>
    cursorPage(
      ids.map((id) => ({ id })),
      query,
      { cursors },
    ).meta.hasMore
  expect([hasMore(), hasMore(1), hasMore(1, 2), hasMore(1, 2, 3)]).toEqual([false, false, false, true])
})

it('cursorPage rejects a query of an offset page', () => {
  const list = defineListQuery({ sortable: ['n'], pagination: 'offset' })
  const cursors = createCursorCodec({ keys: ['k'.repeat(32)] })
  expect(() => cursorPage([], list.parse(''), { cursors })).toThrow(TypeError)
})
