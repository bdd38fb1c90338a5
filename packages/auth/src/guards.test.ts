import { describe, expect, it } from 'vitest'
import { requireOwner, requireRole, requireScopes } from './guards.ts'
import type { VerifiedToken } from './tokens/claims.ts'

const forbidden = { code: 'FORBIDDEN', status: 403 }

describe('requireRole', () => {
  it('accepts the named roles', () => {
    requireRole({ role: 'admin' }, ['admin'])
    requireRole({ role: 'editor' }, ['admin', 'editor'])
  })

  it.each([{ role: 'user' }, { role: undefined }, {}, { role: '' }, { role: ['admin'] }, { role: 'admin ' }])(
    'rejects %j',
    (principal) => {
      expect(() => {
        requireRole(principal, ['admin'])
      }).toThrow(expect.objectContaining(forbidden))
    },
  )

  // Regression: claims of a verifier without a parser, or with one that reads no role, did not compile.
  it('accepts the claims of any verifier', () => {
    const registered = { iss: 'a', aud: 'b', sub: 'u1', iat: 1, exp: 2 }
    const all: VerifiedToken = { ...registered, role: 'admin' }
    const without: VerifiedToken<{ tenant: string }> = { ...registered, tenant: 't' }
    requireRole(all, ['admin'])
    expect(() => {
      requireRole(without, ['admin'])
    }).toThrow(expect.objectContaining(forbidden))
  })

  // Regression: such claims compiled and no principal could pass.
  it('does not compile for claims with roles instead of role', () => {
    const registered = { iss: 'a', aud: 'b', sub: 'u1', iat: 1, exp: 2 }
    const several: VerifiedToken<{ roles: string[] }> = { ...registered, roles: ['admin'] }
    expect(() => {
      // @ts-expect-error the claim `role` is missing
      requireRole(several, ['admin'])
    }).toThrow(expect.objectContaining(forbidden))
    const both: VerifiedToken<{ role: string; roles: string[] }> = { ...several, role: 'admin' }
    requireRole(both, ['admin'])
    const generic = <Claims>(token: VerifiedToken<Claims>) => {
      requireRole(token, ['admin'])
    }
    generic(both)
  })

  // Regression: claims that may have `roles` needed a required `role`.
  it('compiles for claims that may have role in addition to roles', () => {
    type Either = { sub: string; role: string } | { sub: string; roles: string[]; role?: undefined }
    class Account {
      readonly role?: string = 'admin'
      readonly roles: readonly string[] = []
    }
    const any: Record<string, unknown> = { role: 'admin' }
    const passes = (token: VerifiedToken<{ role?: string; roles?: string[] }>, either: Either) => {
      requireRole(token, ['admin'])
      requireRole(either, ['admin'])
      requireRole(any, ['admin'])
      requireRole(new Account(), ['admin'])
    }
    const registered = { iss: 'a', aud: 'b', sub: 'u1', iat: 1, exp: 2 }
    passes({ ...registered, role: 'admin' }, { sub: 'u1', role: 'admin' })
  })

  it('requires at least one role', () => {
    expect(() => {
      requireRole({ role: 'admin' }, [])
    }).toThrow(TypeError)
  })

  // Regression: with 'admin' as the list, every substring passed, and so did an empty role.
  it.each(['admin', '', 'adm'])('rejects a string as the list of roles for the role %j', (role) => {
    expect(() => {
      requireRole({ role }, 'admin' as never)
    }).toThrow(new TypeError('roles must be an array of non-empty strings'))
  })

  it('rejects undefined as a role', () => {
    expect(() => {
      requireRole({ role: '' }, [''])
    }).toThrow(TypeError)
  })
})

describe('requireScopes', () => {
  it('accepts a principal with all named scopes', () => {
    requireScopes({ scope: 'a b c' }, ['c', 'a'])
  })

  it.each([{ scope: 'a' }, { scope: 'ab' }, { scope: '' }, { scope: ['a', 'b'] }, {}])(
    'rejects %j',
    (principal) => {
      expect(() => {
        requireScopes(principal, ['a', 'b'])
      }).toThrow(
        expect.objectContaining({
          ...forbidden,
          headers: { 'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="a b"' },
        }),
      )
    },
  )

  it.each([[[]], [['']], ['a']])('rejects the list of scopes %j', (scopes) => {
    expect(() => {
      requireScopes({ scope: 'a  b' }, scopes as readonly string[])
    }).toThrow(/scope/)
  })
})

describe('requireOwner', () => {
  it('accepts the owner and the named roles', () => {
    requireOwner({ sub: 'u1' }, 'u1')
    requireOwner({ sub: 'u2', role: 'admin' }, 'u1', { orRoles: ['admin'] })
  })

  it.each<[string, string | null | undefined]>([
    ['u2', 'u1'],
    ['', ''],
    ['u1', null],
    ['u1', undefined],
  ])('rejects %j for the owner %j', (sub, ownerId) => {
    expect(() => {
      requireOwner({ sub, role: 'admin' }, ownerId)
    }).toThrow(expect.objectContaining(forbidden))
  })

  it.each([undefined, null])('rejects a principal without sub for the owner %j', (nobody) => {
    expect(() => {
      requireOwner({ sub: nobody } as never, nobody)
    }).toThrow(expect.objectContaining(forbidden))
  })

  it('rejects a string as the list of roles, also for the owner', () => {
    for (const sub of ['u1', 'u2']) {
      expect(() => {
        requireOwner({ sub, role: 'adm' }, 'u1', { orRoles: 'admin' as never })
      }).toThrow(new TypeError('orRoles must be an array of non-empty strings'))
    }
  })
})
