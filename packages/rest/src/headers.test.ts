import { SallyportError } from '@sallyport/errors'
import { describe, expect, it } from 'vitest'
import { negotiateMediaType, prefersProblemJson, requireAccepts } from './accept.ts'
import { defineListQuery } from './define-list-query.ts'
import { formatCursorLinks, formatOffsetLinks } from './link.ts'
import { negotiateErrorResponse } from './problem.ts'
import { formatRateLimitHeaders, formatRetryAfter } from './rate-limit.ts'

describe('Link', () => {
  const relations = (header: string) =>
    Object.fromEntries(
      [...header.matchAll(/<([^<>"]*)>; rel="(\w+)"(?:, |$)/g)].map(([, target, rel]) => [rel, target]),
    ) as Record<string, string>

  it.each([
    [{ page: 1, limit: 2, total: 5 }, ['first 1', 'next 2', 'last 3']],
    [{ page: 2, limit: 2, total: 5 }, ['first 1', 'prev 1', 'next 3', 'last 3']],
    [{ page: 3, limit: 2, total: 5 }, ['first 1', 'prev 2', 'last 3']],
    [{ page: 9, limit: 2, total: 5 }, ['first 1', 'prev 3', 'last 3']],
    [{ page: 1, limit: 2, total: 0 }, ['first 1', 'last 1']],
    [{ page: 4, limit: 2, total: 0 }, ['first 1', 'prev 1', 'last 1']],
  ])('describes the offset page %o', (page, expected) => {
    const links = relations(formatOffsetLinks({ url: '/users', query: 'page=4&sort=-name&limit=2' }, page))
    const pages = Object.entries(links).map(([rel, target]) => {
      const url = new URL(target, 'https://example.org')
      expect(url.searchParams.get('sort')).toBe('-name')
      return `${rel} ${url.searchParams.get('page') ?? ''}`
    })
    expect(pages).toEqual(expected)
  })

  // Regression: links led to pages that the list query rejects.
  it.each([
    [{ page: 499_999, limit: 20, total: 20_000_000 }, ['first 1', 'prev 499998', 'next 500000']],
    [{ page: 500_000, limit: 20, total: 20_000_000 }, ['first 1', 'prev 499999']],
    [{ page: 500_000, limit: 20, total: 10_000_000 }, ['first 1', 'prev 499999', 'last 500000']],
    [{ page: 600_000, limit: 20, total: 20_000_000 }, ['first 1', 'prev 500000']],
    [{ page: 3, limit: 3, total: 12, maxOffset: 11 }, ['first 1', 'prev 2']],
    [{ page: 3, limit: 3, total: 12, maxOffset: 12 }, ['first 1', 'prev 2', 'next 4', 'last 4']],
  ])('links from the offset page %o only to readable pages', (place, expected) => {
    const links = relations(formatOffsetLinks({ url: '/users', query: '' }, place))
    const { limit, maxOffset } = { maxOffset: 10_000_000, ...place }
    const list = defineListQuery({
      sortable: ['id'],
      pagination: 'offset',
      maxLimit: limit,
      defaultLimit: 1,
      maxOffset,
    })
    const pages = Object.entries(links).map(([rel, target]) => {
      const page = new URL(target, 'https://example.org').searchParams.get('page') ?? ''
      expect(() => list.parse(`page=${page}&limit=${limit}`)).not.toThrow()
      return `${rel} ${page}`
    })
    expect(pages).toEqual(expected)
  })

  it.each([0, Number.NaN, 1.5])('rejects a maxOffset of %d', (maxOffset) => {
    const place = { page: 1, limit: 1, total: 1, maxOffset }
    expect(() => formatOffsetLinks({ url: '/users', query: '' }, place)).toThrow(TypeError)
  })

  // Regression: each half of a surrogate pair became U+FFFD.
  it('preserves characters outside the BMP', () => {
    const address = { url: '/u/😀/é\ud83d', query: '' }
    const { first } = relations(formatOffsetLinks(address, { page: 1, limit: 1, total: 1 }))
    expect(first).toBe('/u/%F0%9F%98%80/%C3%A9%EF%BF%BD?page=1')
  })

  it('describes a cursor page', () => {
    const address = { url: 'https://example.org/users', query: '?cursor=old&status=a%20b' }
    const at = (cursor: string) => `https://example.org/users?cursor=${cursor}&status=a+b`
    const around = { prev: 'p', next: 'n-_1', last: 'l' }
    expect(formatCursorLinks(address, around)).toBe(
      `<${at('')}>; rel="first", <${at('p')}>; rel="prev", <${at('n-_1')}>; rel="next", <${at('l')}>; rel="last"`,
    )
    expect(relations(formatCursorLinks(address, { last: 'l' }))).toEqual({ first: at(''), last: at('l') })
  })

  // Regression: leading zeros, repeated in four links, exceeded the header limit of clients.
  it('removes leading zeros from limit', () => {
    const links = (limit: string) => {
      const address = { url: '/users', query: `limit=${limit}&cursor=` }
      return relations(formatCursorLinks(address, { last: 'l' }))['last']
    }
    expect(links(`${'0'.repeat(6000)}10`)).toBe('/users?limit=10&cursor=l')
    expect(links('0')).toBe('/users?limit=0&cursor=l')
  })

  it('escapes characters that end a reference', () => {
    const hostile = { url: '/a>; rel="x"\r\nX: y', query: 'b=>;"\r\n' }
    const header = formatOffsetLinks(hostile, { page: 1, limit: 1, total: 1 })
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(Object.keys(relations(header))).toEqual(['first', 'last'])
  })
})

describe('RateLimit', () => {
  it('lists every policy', () => {
    const states = [
      { quota: 600, window: 60, remaining: 599, reset: 41.2 },
      { name: 'a "b" \\', quota: 10, window: 900, remaining: 0, reset: 0 },
    ] as const
    expect(formatRateLimitHeaders(...states)).toEqual({
      'RateLimit-Policy': '"default";q=600;w=60, "a \\"b\\" \\\\";q=10;w=900',
      RateLimit: '"default";r=599;t=42, "a \\"b\\" \\\\";r=0;t=0',
    })
  })

  it.each([
    { remaining: -1 },
    { reset: Number.NaN },
    { quota: Infinity },
    { quota: 1e15 },
    { name: 'é' },
    { name: '' },
  ])('rejects %o', (over) => {
    const state = { quota: 1, window: 1, remaining: 1, reset: 1 }
    expect(() => formatRateLimitHeaders({ ...state, ...over })).toThrow(TypeError)
  })

  // RFC 9651 has no fractions here, and the draft no window of zero seconds.
  it('has a window of at least one second', () => {
    const { 'RateLimit-Policy': policy } = formatRateLimitHeaders({
      quota: 5,
      window: 0,
      remaining: 5,
      reset: 0,
    })
    expect(policy).toBe('"default";q=5;w=1')
  })

  it('formats Retry-After as whole seconds of at least one', () => {
    expect([0, 0.2, 1, 1.2, 90].map(formatRetryAfter)).toEqual(['1', '1', '1', '2', '90'])
    expect(() => formatRetryAfter(-2)).toThrow(TypeError)
  })
})

describe('Accept', () => {
  const offers = ['application/json', 'text/html'] as const
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'text/html'],
    ['text/*', 'text/html'],
    ['APPLICATION/JSON;Q=0.5', 'application/json'],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/json;q=0.5, text/html;q=0.6', 'text/html'],
    ['*/*, application/json;q=0', 'text/html'],
    ['application/*;q=0.1, */*;q=0.9', 'text/html'],
    ['nonsense, text/html', 'text/html'],
    ['text/html;q=nonsense', undefined],
    ['text/html;q=1.5', undefined],
    ['application/xml', undefined],
    ['*/*;q=0', undefined],
    ['*, application/json;q=0', 'text/html'],
    ['application/json;q=.5, text/html;q=.6', 'text/html'],
    ['application/json;q=0.50001, text/html;q=0.5', 'application/json'],
  ])('resolves %j to %j', (accept, expected) => {
    expect(negotiateMediaType(accept, offers)).toBe(expected)
  })

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/problem+json',
    'application/json;q=0, application/problem+json',
    'application/*',
    // Regression: these were rejected. Java's URLConnection sends the first one.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    '*',
    'application/json;q=.9',
    '*/*;q=0.8000',
    '*/*;q=1.',
    '*/*;q=1.0000',
  ])('accepts %j', (accept) => {
    expect(() => {
      requireAccepts(accept, ['application/json'])
    }).not.toThrow()
  })

  it.each([
    'text/html',
    'application/xml',
    ',',
    '*;q=0',
    '*/*;q=0.',
    '*/*;q=.0',
    '*/*;q=0.0000',
    '*/*;q=1.5',
    '*/*;q=2',
    '*/*;q=.',
    '*/*;q=',
    'text/*;q=.2',
    'application/json;q=0',
    'application/json;q=0, */*',
    'application/json;q=0, application/*',
    'application/json;q=0, application/problem+json;q=0, */*',
  ])('rejects %j', (accept) => {
    expect(() => {
      requireAccepts(accept, ['application/json'])
    }).toThrow(expect.objectContaining({ code: 'NOT_ACCEPTABLE', status: 406 }) as Error)
  })

  it.each([
    ['application/problem+json', true],
    ['application/json, application/problem+json', false],
    ['application/problem+json, application/json', false],
    ['application/json;q=0.9, application/problem+json', true],
    ['application/problem+json, */*', true],
    ['application/problem+json, */*;q=0.1', true],
    ['application/json, application/problem+json;q=0.5', false],
    ['application/problem+json;q=.5, application/json;q=.9', false],
    ['application/problem+json;q=.9, *;q=.2', true],
    ['application/problem+json;q=.1, *;q=.2', false],
    ['application/problem+json;q=0', false],
    ['application/*', false],
    ['*', false],
    ['*/*', false],
    [undefined, false],
  ])('detects a preference for problem+json in %j: %j', (accept, expected) => {
    expect(prefersProblemJson(accept)).toBe(expected)
  })
})

describe('errorResponse', () => {
  const error = new SallyportError('EMAIL_TAKEN', 'Use another address', {
    details: [{ field: 'email', message: 'Is taken' }],
    headers: { 'X-Y': '1' },
  })

  it('returns the envelope by default', () => {
    expect(negotiateErrorResponse(error)).toEqual({
      status: 409,
      headers: { 'X-Y': '1', 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' },
      body: {
        error: {
          code: 'EMAIL_TAKEN',
          message: 'Use another address',
          details: [{ field: 'email', message: 'Is taken' }],
        },
      },
    })
  })

  // Regression: the Vary of the error was lost, or duplicated when its name had another case.
  it.each([
    [{ Vary: 'Authorization' }, 'Authorization, Accept'],
    [{ vary: 'Authorization' }, 'Authorization, Accept'],
    [{ vary: 'Origin,, ACCEPT', VARY: 'origin, Cookie' }, 'Origin, ACCEPT, Cookie'],
    [{ Vary: '' }, 'Accept'],
    [{ vary: 'Cookie, *' }, '*'],
  ])('merges Vary with that of the error: %o', (headers, expected) => {
    const { headers: answered } = negotiateErrorResponse(new SallyportError('NOT_FOUND', 'No', { headers }))
    expect(answered).toEqual({ 'Content-Type': 'application/json; charset=utf-8', Vary: expected })
  })

  it('has one Content-Type, which fits the body', () => {
    const headers = { 'content-type': 'text/html', 'X-Y': '1' }
    const { headers: answered } = negotiateErrorResponse(new SallyportError('NOT_FOUND', 'No', { headers }))
    expect(answered).toEqual({
      'X-Y': '1',
      'Content-Type': 'application/json; charset=utf-8',
      Vary: 'Accept',
    })
  })

  it('returns problem details on request', () => {
    const options = {
      accept: 'application/problem+json',
      problemBase: 'https://p.example/',
      instance: 'urn:x:1',
    }
    expect(negotiateErrorResponse(error, options)).toMatchObject({
      headers: { 'Content-Type': 'application/problem+json' },
      body: {
        type: 'https://p.example/email-taken',
        title: 'Conflict',
        status: 409,
        detail: 'Use another address',
        instance: 'urn:x:1',
        code: 'EMAIL_TAKEN',
        details: [{ field: 'email', message: 'Is taken' }],
      },
    })
  })

  it('reveals no internal error', () => {
    const { status, body } = negotiateErrorResponse(new Error('password=hunter2'), {
      accept: 'application/problem+json',
    })
    expect(status).toBe(500)
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'An unexpected error occurred',
      code: 'INTERNAL_ERROR',
    })
  })
})
