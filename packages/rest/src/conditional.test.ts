import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkPreconditions,
  formatETag,
  hashETag,
  parseETags,
  type ConditionalRequest,
} from './conditional.ts'

const outcome = (request: ConditionalRequest) => {
  try {
    return checkPreconditions(request)
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('entity tags', () => {
  it('are strong and depend on the version and on every variant', () => {
    const all = [
      formatETag(1),
      formatETag(2),
      formatETag(1, 'a'),
      formatETag(1, 'a', 'b'),
      formatETag(1, 'a:b'),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(all[0]).toBe('"1"')
  })

  it('survive formatting and parsing for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ unit: 'grapheme' })), (version, variant) => {
        fc.pre(version.isWellFormed() && variant.every((part) => part.isWellFormed()))
        const etag = formatETag(version, ...variant)
        expect(parseETags(`"x", W/${etag} ,${etag}`)).toEqual(['"x"', `W/${etag}`, etag])
      }),
    )
  })

  // Regression: all resources with an undefined version had the same tag.
  it.each([undefined, null, Number.NaN, {}, true])('rejects the version %j', (version) => {
    expect(() => formatETag(version as never)).toThrow(
      new TypeError('version must be a string or a finite number'),
    )
  })

  it('accepts a version over the safe integers', () => {
    expect(formatETag(2n ** 64n)).toBe('"18446744073709551616"')
  })

  it('are equal for equal bytes', () => {
    expect(hashETag('é')).toBe(hashETag(new TextEncoder().encode('é')))
    expect(hashETag('a')).not.toBe(hashETag('b'))
    expect(hashETag('')).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
  })

  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['"a","b", W/"c"', ['"a"', '"b"', 'W/"c"']],
    [',"a",, "b",', ['"a"', '"b"']],
    ['"a,b"', ['"a,b"']],
    ['""', ['""']],
    ['', undefined],
    [',', undefined],
    ['a', undefined],
    ['"a', undefined],
    ['"a" "b"', undefined],
    ['w/"a"', undefined],
    ['W/ "a"', undefined],
    ['"a", *', undefined],
    ['"a b"', undefined],
  ])('in the header %j are %j', (header, expected) => {
    expect(parseETags(header)).toEqual(expected)
  })

  it('parses a long hostile header in linear time', () => {
    const started = performance.now()
    parseETags(`${' ,'.repeat(50_000)}x`)
    parseETags(' '.repeat(100_000))
    parseETags(`"${'a'.repeat(100_000)}`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('If-Match', () => {
  const etag = '"2"'
  it.each([
    ['"2"', 'proceed'],
    ['"1", "2"', 'proceed'],
    ['*', 'proceed'],
    ['"1"', 'PRECONDITION_FAILED'],
    ['W/"2"', 'PRECONDITION_FAILED'],
    ['2', 'BAD_REQUEST'],
  ])('answers %s with %s', (ifMatch, expected) => {
    expect(outcome({ method: 'PATCH', ifMatch, etag })).toBe(expected)
    expect(outcome({ method: 'GET', ifMatch, etag })).toBe(expected)
  })

  it('fails without a representation or with a weak tag', () => {
    expect(outcome({ method: 'PUT', ifMatch: '*' })).toBe('PRECONDITION_FAILED')
    expect(outcome({ method: 'PUT', ifMatch: 'W/"2"', etag: 'W/"2"' })).toBe('PRECONDITION_FAILED')
  })
})

describe('If-None-Match', () => {
  it.each([
    ['GET', '"2"', 'not-modified'],
    ['HEAD', '"1", W/"2"', 'not-modified'],
    ['GET', '*', 'not-modified'],
    ['GET', '"1"', 'proceed'],
    ['GET', 'unquoted', 'proceed'],
    ['PUT', '*', 'PRECONDITION_FAILED'],
    ['PUT', 'W/"2"', 'PRECONDITION_FAILED'],
    ['PUT', '"1"', 'proceed'],
    ['PUT', 'unquoted', 'BAD_REQUEST'],
  ])('%s with %s gives %s', (method, ifNoneMatch, expected) => {
    expect(outcome({ method, ifNoneMatch, etag: '"2"' })).toBe(expected)
  })

  it('lets PUT create a missing resource', () => {
    expect(outcome({ method: 'PUT', ifNoneMatch: '*' })).toBe('proceed')
  })
})

it('evaluates If-Match first', () => {
  expect(outcome({ method: 'GET', ifMatch: '"1"', ifNoneMatch: '"2"', etag: '"2"' })).toBe(
    'PRECONDITION_FAILED',
  )
  expect(outcome({ method: 'GET', ifMatch: '"2"', ifNoneMatch: '"2"', etag: '"2"' })).toBe('not-modified')
  expect(outcome({ method: 'GET' })).toBe('proceed')
})
