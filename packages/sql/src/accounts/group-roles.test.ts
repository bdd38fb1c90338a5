import { expect, it } from 'vitest'
import { findRole, readGroupRoles } from './group-roles.ts'

it('reads roles and the permissions of roles', () => {
  const roles = readGroupRoles(
    '{"platform": "admin", "support": "read, replay", "all": ["read"], "root": "manage,read,replay,erase"}',
  )
  expect(Object.fromEntries([...roles].map(([group, { role }]) => [group, role]))).toEqual({
    ...{ platform: 'admin', support: 'support', all: 'viewer', root: 'admin' },
  })
  expect([...roles.values()].every(({ endpoints }) => endpoints === null)).toBe(true)
})

it('reads limits to endpoints', () => {
  const group = { permissions: 'read,replay', endpoints: { region: 'eu', plan: 'gold' } }
  expect(readGroupRoles(JSON.stringify({ group })).get('group')).toEqual({
    ...{ role: 'support', endpoints: 'region=eu,plan=gold' },
  })
})

it.each([
  { permissions: 'admin', endpoints: { region: 'eu' } },
  { permissions: 'manage,read,replay,erase', endpoints: { region: 'eu' } },
  ...[{ permissions: 'read' }, { permissions: 'read', endpoints: null }, { endpoints: { region: 'eu' } }],
  ...[{}, { region: '' }, { region: 7 }, { region: 'eu;x=y' }, ['region=eu'], 'region=eu'].map(
    (endpoints) => {
      return { permissions: 'read', endpoints }
    },
  ),
  { permissions: 'read', endpoints: { region: 'eu' }, limit: 1 },
])('refuses the limited group %j', (group) => {
  expect(() => readGroupRoles(JSON.stringify({ group }))).toThrow(/^has .*the group "group"/)
})

it.each(['', '[]', '"admin"', '{}', 'null'])('refuses %j', (text) => {
  expect(() => readGroupRoles(text)).toThrow('has to be a JSON object with a role for each group')
})

it.each(['"owner"', '7', '""', '"read,erase"', '["erase"]'])('refuses the role %s', (role) => {
  expect(() => readGroupRoles(`{"g": ${role}}`)).toThrow('has no role for the group "g": use one of')
})

it('finds the highest role of several groups', () => {
  const roles = readGroupRoles('{"a": "viewer", "b": "operator", "c": "support"}')
  expect(findRole(['a', 'b', 'c', 'd'], roles)?.role).toBe('operator')
  expect(findRole(['d', 'constructor', '__proto__'], roles)).toBeUndefined()
})

it('joins the endpoints of the groups with the highest role', () => {
  const support = (region: string) => ({ permissions: 'support', endpoints: { region } })
  const viewer = { permissions: 'viewer', endpoints: { region: 'asia' } }
  const groups = { eu: support('eu'), us: support('us'), viewer, all: 'support' }
  const roles = readGroupRoles(JSON.stringify(groups))
  expect(findRole(['us', 'viewer', 'eu', 'eu'], roles)).toEqual({
    role: 'support',
    endpoints: 'region=eu;region=us',
  })
  expect(findRole(['viewer', 'us', 'all'], roles)).toEqual({ role: 'support', endpoints: null })
})
