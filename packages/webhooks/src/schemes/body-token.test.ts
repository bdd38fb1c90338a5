import { expect, it } from 'vitest'
import { bodyToken } from '../index.ts'

const encode = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const verify = (path: string, value: unknown, secrets: readonly string[] = ['s']) =>
  bodyToken(path).verify({ method: 'POST', headers: new Headers(), body: encode(value) }, secrets, 0)

it('verifies a member with one of the secrets, and removes the member from the body', async () => {
  expect(await verify('passcode', { passcode: 's', a: 1 }, ['old', 's'])).toEqual({
    verified: true,
    body: encode({ a: 1 }),
  })
  expect(await verify('meta.token', { meta: { token: 's' } })).toEqual({
    verified: true,
    body: encode({ meta: {} }),
  })
})

it('requires the secret in each element of a list', async () => {
  const path = 'value.*.clientState'
  expect(await verify(path, { value: [{ clientState: 's' }, { clientState: 's', a: 1 }] })).toEqual({
    verified: true,
    body: encode({ value: [{}, { a: 1 }] }),
  })
  for (const [value, reason] of [
    [{ value: [{ clientState: 's' }, { clientState: 'other' }] }, 'mismatch'],
    [{ value: [{ clientState: 's' }, {}] }, 'missing'],
    [{ value: [] }, 'missing'],
    [{ value: { clientState: 's' } }, 'missing'],
    [{}, 'missing'],
  ] as const) {
    expect(await verify(path, value)).toMatchObject({ verified: false, reason })
  }
})

it('rejects another body and an empty secret', async () => {
  for (const [value, reason] of [
    ['passcode=s', 'malformed'],
    ['', 'malformed'],
    ['null', 'missing'],
    [{ passcode: '' }, 'missing'],
    [{ passcode: ['s'] }, 'missing'],
    [{ passcode: 'S' }, 'mismatch'],
  ] as const) {
    expect(await verify('passcode', value, ['s', ''])).toMatchObject({ verified: false, reason })
  }
})

it('changes no other value of the body', async () => {
  const numbers = '9007199254740993, 1.0, -0, 1e400, "a\\"}\\u00e9"'
  const member = '"value" : [ { "n":[NUMBERS], "clientState" : "s"}, {"clientState":"s"} ]'.replace(
    'NUMBERS',
    numbers,
  )
  const delivery = {
    method: 'POST',
    headers: new Headers(),
    body: encode(`{"x":${numbers.split(',')[0]},${member}}`),
  }
  const scheme = bodyToken('value.*.clientState')
  const check = await scheme.verify(delivery, ['s'], 0)
  const decode = (bytes: unknown) => new TextDecoder().decode(bytes as Uint8Array)
  expect(decode('body' in check && check.body)).toBe(`{"x":9007199254740993,"value":[{"n":[${numbers}]},{}]}`)
  const signed = await scheme.signBody!(delivery, 't', 0)
  const state = '"clientState":"t"'
  expect(decode(signed)).toBe(`{"x":9007199254740993,"value":[{"n":[${numbers}],${state}},{${state}}]}`)
  expect(decode(scheme.redactBody!(delivery.body))).toBe(decode(signed).replaceAll('"t"', '"[redacted]"'))
})

it('removes each copy of the member', async () => {
  const body = encode('{"a":1,"passcode":"o","pass\\u0063ode":"s","passcode":"s"}')
  const delivery = { method: 'POST', headers: new Headers(), body }
  expect(await bodyToken('passcode').verify(delivery, ['s'], 0)).toEqual({
    verified: true,
    body: encode({ a: 1 }),
  })
})

it('redacts each copy of the member, and returns a body without it unchanged', () => {
  const redact = (text: string) => {
    const body = encode(text)
    const result = bodyToken('data.token').redactBody!(body)
    return result === body ? 'same' : new TextDecoder().decode(result)
  }
  expect(redact('{"data":{"token":"s"},"data":{}}')).toBe('{"data":{"token":"[redacted]"},"data":{}}')
  for (const text of ['{"data": {}}', '{"token":"s"}', '[]', '{"data":["s"]}'])
    expect(redact(text)).toBe('same')
  expect(redact('{"data":')).toBe('')
})

it('signs a body that verifies', async () => {
  const scheme = bodyToken('value.*.clientState')
  const delivery = { method: 'POST', headers: new Headers(), body: encode({ value: [{ a: 1 }, { a: 2 }] }) }
  const body = await scheme.signBody!(delivery, 's', 0)
  expect(await scheme.verify({ ...delivery, body }, ['s'], 0)).toMatchObject({ verified: true })
  expect(() => scheme.signBody!(delivery, '', 0)).toThrow(TypeError)
  expect(() => scheme.signBody!({ ...delivery, body: encode('{"a') }, 's', 0)).toThrow('JSON')
})
