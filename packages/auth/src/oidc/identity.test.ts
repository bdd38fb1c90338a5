import { expect, it } from 'vitest'
import { getGroups, readIdentity } from './identity.ts'

const user = { iss: 'https://id.example', sub: '7' }

it('reads an identity', () => {
  const claims = { ...user, email: 'ann@example.com', name: ' Ann ' }
  expect(readIdentity(claims)).toEqual({
    ...{ issuer: 'https://id.example', subject: '7', claims },
    ...{ email: 'ann@example.com', name: 'Ann' },
  })
})

it.each([{ email_verified: false }, { email_verified: 'false' }, { email: 7 }, { email: 'a'.repeat(255) }])(
  'reads no e-mail address from %o',
  (claims) => {
    expect(readIdentity({ ...user, email: 'ann@example.com', ...claims }).email).toBeUndefined()
  },
)

it.each(['', 's'.repeat(256), 'a\0b', 'é'])('refuses the subject %j', (sub) => {
  expect(() => readIdentity({ ...user, sub })).toThrow('The answer of the issuer is not valid')
})

it.each([
  [{ groups: ['a', 7, 'b', null] }, ['a', 'b']],
  [{ groups: 'a' }, ['a']],
  [{ groups: { a: true } }, []],
  [{}, []],
])('reads the groups of %o', (claims, groups) => {
  expect(getGroups({ claims }, 'groups')).toEqual(groups)
})

it('reads every group of a user with many', () => {
  const groups = [...Array.from({ length: 10_000 }, String), 'platform']
  expect(getGroups({ claims: { groups } }, 'groups')).toContain('platform')
})

it('reads no inherited property as a claim', () => {
  expect(getGroups({ claims: {} }, 'constructor')).toEqual([])
})

it('reads an e-mail address as a group only when it is verified', () => {
  const claims = { email: 'ann@example.com' }
  expect(getGroups({ claims }, 'email')).toEqual([])
  expect(getGroups({ claims: { ...claims, email_verified: true } }, 'email')).toEqual(['ann@example.com'])
})
