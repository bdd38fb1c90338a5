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

it('signs a body that verifies', async () => {
  const scheme = bodyToken('value.*.clientState')
  const delivery = { method: 'POST', headers: new Headers(), body: encode({ value: [{ a: 1 }, { a: 2 }] }) }
  const body = await scheme.signBody!(delivery, 's', 0)
  expect(await scheme.verify({ ...delivery, body }, ['s'], 0)).toMatchObject({ verified: true })
  expect(() => scheme.signBody!(delivery, '', 0)).toThrow(TypeError)
})
