import { describe, expect, it } from 'vitest'
import { id, textField } from './resource-fields.ts'

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('an id', () => {
  it.each([
    'me',
    '0',
    '-1',
    'null',
    '__proto__',
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    uuid.replaceAll('-', ''),
    uuid.slice(1),
    `${uuid}0`,
    `${uuid} `,
    ` ${uuid}`,
    `${uuid}\n`,
    `${uuid}/`,
    `${uuid};v=1`,
    `${uuid}'--`,
    // Cyrillic а, a full-width zero, another hyphen and characters without a width.
    uuid.replace('a', '\u0430'),
    uuid.replace('0', '\uff10'),
    uuid.replaceAll('-', '\u2010'),
    `${uuid}\u200b`,
    `\u202e${uuid}`,
    'x'.repeat(100),
  ])('is not %j', (text) => {
    expect(id.safeParse(text).success).toBe(false)
  })

  // RFC 9562 defines UUIDs of no version and of other variants.
  it.each([
    ['00000000-0000-0000-0000-000000000001', undefined],
    ['11111111-1111-1111-1111-111111111111', undefined],
    ['123e4567-e89b-92d3-c456-426614174000', undefined],
    [uuid.toUpperCase(), uuid],
  ])('is a UUID of any version, in lower case: %s', (text, lowerCase = text) => {
    expect(id.parse(text)).toBe(lowerCase)
  })
})

describe('a text', () => {
  const text = textField({ min: 2, max: 4, example: 'abc' })
  it.each([
    ['ab', true],
    ['🚪🚪', true],
    ['🚪🚪🚪🚪', true],
    ['a', false],
    ['🚪', false],
    ['abcde', false],
    ['🚪🚪🚪🚪🚪', false],
    ['ab\0', false],
    ['ab\ud800', false],
    ['\udc00\ud800', false],
    [7, false],
    [null, false],
    [{ length: 3 }, false],
  ])('has two to four code points that a database stores: %j is %j', (value, valid) => {
    expect(text.safeParse(value).success).toBe(valid)
  })
})
