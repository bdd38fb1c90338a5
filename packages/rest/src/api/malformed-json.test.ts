import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ApiRequest } from './api-request.ts'
import { createRouteGroup } from '../route-group.ts'
import { createApi } from './api.ts'

/** The password in every text. No response may contain it. */
const secret = 'canary-7f1c2e'

/** An account, as JSON, with more text in the object. */
const account = (more = '') => `{"email":"eve@example.com","name":"Eve","password":"${secret}"${more}}`
const withField = (value: string) => account(`,"extra":${value}`)
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
const inString = (...codes: readonly number[]) => bytes(`{"name":"Eve`, codes, `","password":"${secret}"}`)

type BadText = readonly [what: string, text: string | Uint8Array<ArrayBuffer>]

/** Malformed JSON, and JSON that parsers read differently. */
const malformed: readonly BadText[] = [
  ['nothing', ''],
  ['white space', ' \n\t'],
  ['an object that does not end', account().slice(0, -1)],
  ['a string that does not end', account().slice(0, -2)],
  ['an array that does not end', `["${secret}"`],
  ['a key alone', `{"${secret}"`],
  ['a key without a value', '{"name":}'],
  ['a key without a colon', '{"name" "Eve"}'],
  ['two colons', '{"name"::"Eve"}'],
  ['an object that ends twice', `${account()}}`],
  ['an array that ends as an object', '["Eve"}'],
  ['a comma at the end', account(',')],
  ['a comma at the start', '{,"name":"Eve"}'],
  ['two commas', account(',,"extra":1')],
  ['no comma', account('"extra":1')],
  ['a comma at the end of an array', withField('[1,]')],
  ['a hole in an array', withField('[1,,2]')],
  ['a bracket alone', ']'],
  ['a comment to the end of the line', `${account()} // ${secret}`],
  ['a comment in between', withField('/* one */ 1')],
  ['a comment of another kind', `# ${secret}\n${account()}`],
  ['single quotes', account().replaceAll('"', "'")],
  ['back quotes', account().replaceAll('"', '`')],
  ['typographic quotes', account().replaceAll('"', '\u201d')],
  ['a key without quotes', `{name:"Eve",password:"${secret}"}`],
  ['a number as a key', '{1:"Eve"}'],
  ['null as a key', '{null:"Eve"}'],
  ['a word', 'undefined'],
  ['a word in capitals', withField('True')],
  ['half a word', withField('nul')],
  ['NaN', withField('NaN')],
  ['Infinity', withField('Infinity')],
  ['-Infinity', withField('-Infinity')],
  ['a zero before a number', withField('01')],
  ['a zero before a negative number', withField('-01')],
  ['a plus', withField('+1')],
  ['a sign alone', withField('-')],
  ['two signs', withField('--1')],
  ['a point at the end', withField('1.')],
  ['a point at the start', withField('.5')],
  ['two points', withField('1.2.3')],
  ['an exponent without digits', withField('1e')],
  ['an exponent with a sign alone', withField('1e+')],
  ['hexadecimal digits', withField('0x1F')],
  ['separated digits', withField('1_000')],
  ['a big integer', withField('1n')],
  ['digits of another script', withField('\uff11')],
  ['an escape by \\x', withField('"\\x41"')],
  ['an invalid escape', withField('"\\a"')],
  ['an escaped single quote', withField(String.raw`"\'"`)],
  ['half an escape', withField('"\\u12"')],
  ['an escape without hexadecimal digits', withField('"\\uZZZZ"')],
  ['an escape that does not end', '"\\'],
  ['a line break in a string', withField('"a\nb"')],
  ['a tab in a string', withField('"a\tb"')],
  ['NUL in a string', withField('"a\0b"')],
  ['a control character in a string', withField('"a\u001fb"')],
  ['NUL after the end', `${account()}\0`],
  ['a form feed as white space', `\f${account()}`],
  ['a no-break space as white space', `\u00a0${account()}`],
  ['a line separator as white space', `\u2028${account()}`],
  ['two values', `${account()} ${account()}`],
  ['something after the end', `${account()}x`],
  ['a prefix against hijacking', `)]}',\n${account()}`],
  ['a form', `name=Eve&password=${secret}`],
  ['XML', `<password>${secret}</password>`],
  ['a byte order mark', `\ufeff${account()}`],
  ['UTF-16, little-endian', bytes([0xff, 0xfe], [...Buffer.from(account(), 'utf16le')])],
  ['UTF-16 without a mark', bytes([...Buffer.from(account(), 'utf16le')])],
  ['Latin-1', inString(0xe9)],
  ['a byte that is never in UTF-8', inString(0xff)],
  ['a continuation without a start', inString(0x80)],
  ['a start without its continuation', inString(0xe2, 0x82)],
  ['an overlong slash of two bytes', inString(0xc0, 0xaf)],
  ['an overlong slash of three bytes', inString(0xe0, 0x80, 0xaf)],
  ['an overlong slash of four bytes', inString(0xf0, 0x80, 0x80, 0xaf)],
  ['an overlong NUL', inString(0xc0, 0x80)],
  ['a surrogate in UTF-8', inString(0xed, 0xa0, 0x80)],
  ['a pair of surrogates in UTF-8', inString(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)],
  ['a character past the last', inString(0xf4, 0x90, 0x80, 0x80)],
  ['a sequence of five bytes', inString(0xf8, 0x88, 0x80, 0x80, 0x80)],
  ['a field twice', account(`,"password":"${secret}2"`)],
  ['a field twice, with the same value', account(`,"password":"${secret}"`)],
  ['a field twice, once by escapes', account(String.raw`,"p\u0061ssword":"${secret}2"`)],
  ['a field twice, deeper', withField('[{"a":{"b":1,"c":2,"b":3}}]')],
  ['a prototype twice', account(',"__proto__":{},"__proto__":{}')],
  ['a depth that does not end', '['.repeat(10_000)],
  ['a depth of objects that does not end', '{"a":'.repeat(2000)],
  ['arrays in more than 100 levels', account().replace('"Eve"', '['.repeat(4000) + ']'.repeat(4000))],
  ['objects in more than 100 levels', withField(`${'{"a":'.repeat(1500)}1${'}'.repeat(1500)}`)],
]

/** Values that are JSON and not an account. */
const invalid: readonly BadText[] = [
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '1'],
  ['a string', `"${secret}"`],
  ['an array', `[${account()}]`],
  ['an object without fields', '{}'],
  ['a number past the largest', withField('1e309')],
  ['a negative zero', account().replace('"Eve"', '-0')],
  ['a number past the largest as a name', account().replace('"Eve"', '1e309')],
  ['a number of many digits', withField('9'.repeat(9000))],
  ['a fraction of many digits', withField(`0.${'1'.repeat(9000)}`)],
  ['a lone surrogate in a key', account(',"\\ud800":1')],
  ['NUL by an escape in a key', account(',"\\u0000":1')],
  ['an empty key', account(',"":1')],
  ['a prototype', account(',"__proto__":{"role":"admin"}')],
  ['a prototype by escapes', account(String.raw`,"\u005f_proto__":{"role":"admin"}`)],
  ['a prototype deeper', withField('{"__proto__":{"role":"admin"}}')],
  ['a prototype as a name', account().replace('"Eve"', '{"__proto__":{"length":3}}')],
  ['a constructor', account(',"constructor":{"prototype":{"role":"admin"}}')],
  ['a field named prototype', account(',"prototype":{}')],
  ['a field of every object', account(',"toString":"x","hasOwnProperty":1')],
  ['a string that looks like an object', JSON.stringify(account())],
  ['a rank', account(',"role":"admin"')],
  ['a field in another case', account().replace('name', 'Name')],
  ['a field with a space', account().replace('name', 'name ')],
  ['many fields', account(Array.from({ length: 900 }, (_, index) => `,"f${index}":0`).join(''))],
]

/** Bodies over the limit. */
const tooLarge: readonly BadText[] = [
  ['a long string', account().replace('Eve', 'E'.repeat(11_000))],
  ['a number of very many digits', withField('9'.repeat(20_000))],
  ['a bottomless depth of objects', withField('{"a":'.repeat(10_000))],
  ['a bottomless depth of arrays', withField('['.repeat(100_000))],
  ['much white space', ' '.repeat(11_000) + account()],
]

const { post } = createRouteGroup({ access: 'public' })
const Account = z.strictObject({ email: z.string(), name: z.string(), password: z.string() })
const api = createApi({
  bodyLimit: 10 * 1024,
  routes: [
    post(
      '/users',
      { operationId: 'createUser', body: Account, responses: { 204: { description: 'Created' } } },
      () => ({
        status: 204,
      }),
    ),
  ],
})

async function send(text: string | Uint8Array<ArrayBuffer>) {
  const bytes = Buffer.from(text)
  const request: ApiRequest = {
    ...{ method: 'POST', path: '/users', query: '', mountPath: '', requestId: 'request-1' },
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    hasBody: true,
    readBody: (limit, createError) =>
      bytes.length > limit ? Promise.reject(createError()) : Promise.resolve(bytes),
    streamBody: () => new ReadableStream(),
    ...{ clientAddress: undefined, signal: undefined, raw: undefined },
  }
  const response = await api.handle(request)
  expect(JSON.stringify(response)).not.toContain(secret)
  const { error } = JSON.parse((response.body as string | null) ?? '{}') as { error?: { code: string } }
  return [response.status, error?.code]
}

describe('the body of a request', () => {
  it('can be an account', async () => {
    expect(await send(account())).toEqual([204, undefined])
  })

  it.each(malformed)('is refused as malformed: %s', async (_, body) => {
    expect(await send(body)).toEqual([400, 'INVALID_JSON'])
  })

  it.each(invalid)('is refused as another value: %s', async (_, body) => {
    expect(await send(body)).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each(tooLarge)('is refused over the limit: %s', async (_, body) => {
    expect(await send(body)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})
