import { expect, it } from 'vitest'
import { findRole, readGroupRoles } from './group-roles.ts'

it('reads roles and the permissions of roles', () => {
  const roles = readGroupRoles(
    '{"platform": "admin", "support": "read, replay", "all": ["read"], "root": "manage,read,replay,erase"}',
  )
  expect(Object.fromEntries(roles)).toEqual({
    ...{ platform: 'admin', support: 'support', all: 'viewer', root: 'admin' },
  })
})

it.each(['', '[]', '"admin"', '{}', 'null'])('refuses %j', (text) => {
  expect(() => readGroupRoles(text)).toThrow('has to be a JSON object with a role for each group')
})

it.each(['"owner"', '7', '""', '"read,erase"', '["erase"]'])('refuses the role %s', (role) => {
  expect(() => readGroupRoles(`{"g": ${role}}`)).toThrow('has no role for the group "g": use one of')
})

it('finds the highest role of several groups', () => {
  const roles = readGroupRoles('{"a": "viewer", "b": "operator", "c": "support"}')
  expect(findRole(['a', 'b', 'c', 'd'], roles)).toBe('operator')
  expect(findRole(['d', 'constructor', '__proto__'], roles)).toBeUndefined()
})
