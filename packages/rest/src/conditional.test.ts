import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPreconditions, type ConditionalRequest } from './conditional.ts'
import { etagOfBytes, etagOfVersion, parseETags } from './etag.ts'

const outcome = (request: ConditionalRequest) => {
  try {
    return checkPreconditions(request)
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('ETags', () => {
  it('are strong, and differ with the version and with what else decides the bytes', () => {
    const all = [
      etagOfVersion(1),
      etagOfVersion(2),
      etagOfVersion(1, 'a'),
      etagOfVersion(1, 'a', 'b'),
      etagOfVersion(1, 'a:b'),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(all[0]).toBe('"1"')
  })

  it('can be read back whatever they are made of', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ unit: 'grapheme' })), (version, variant) => {
        fc.pre(version.isWellFormed() && variant.every((part) => part.isWellFormed()))
        const etag = etagOfVersion(version, ...variant)
        expect(parseETags(`"x", W/${etag} ,${etag}`)).toEqual(['"x"', `W/${etag}`, etag])
      }),
    )
  })

  // All resources without one once had the same tag.
  it.each([undefined, null, Number.NaN, {}, true])('are of no version that is %j', (version) => {
    expect(() => etagOfVersion(version as never)).toThrow(new TypeError('version must be a text or a number'))
  })

  it('are of a version beyond the safe integers too', () => {
    expect(etagOfVersion(2n ** 64n)).toBe('"18446744073709551616"')
  })

  it('of bytes are those of the same bytes', () => {
    expect(etagOfBytes('é')).toBe(etagOfBytes(new TextEncoder().encode('é')))
    expect(etagOfBytes('a')).not.toBe(etagOfBytes('b'))
    expect(etagOfBytes('')).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
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

  it('of a long hostile header are read in linear time', () => {
    const started = performance.now()
    parseETags(`${' ,'.repeat(50_000)}x`)
    parseETags(' '.repeat(100_000))
    parseETags(`"${'a'.repeat(100_000)}`)
    expect(performance.now() - started).toBeLessThan(1000)
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
  ])('%s gives %s', (ifMatch, expected) => {
    expect(outcome({ method: 'PATCH', ifMatch, etag })).toBe(expected)
    expect(outcome({ method: 'GET', ifMatch, etag })).toBe(expected)
  })

  it('fails where there is nothing, or nothing strong', () => {
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

  it('lets a resource be created that is not there', () => {
    expect(outcome({ method: 'PUT', ifNoneMatch: '*' })).toBe('proceed')
  })
})

it('If-Match is asked first', () => {
  expect(outcome({ method: 'GET', ifMatch: '"1"', ifNoneMatch: '"2"', etag: '"2"' })).toBe(
    'PRECONDITION_FAILED',
  )
  expect(outcome({ method: 'GET', ifMatch: '"2"', ifNoneMatch: '"2"', etag: '"2"' })).toBe('not-modified')
  expect(outcome({ method: 'GET' })).toBe('proceed')
})
