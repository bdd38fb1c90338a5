import { describe, expect, it } from 'vitest'
import { requireOwner, requireRole, requireScopes } from './guards.ts'
import type { VerifiedToken } from './tokens/claims.ts'

const forbidden = { code: 'FORBIDDEN', status: 403 }

describe('requireRole', () => {
  it('lets the roles pass that it names', () => {
    requireRole({ role: 'admin' }, ['admin'])
    requireRole({ role: 'editor' }, ['admin', 'editor'])
  })

  it.each([{ role: 'user' }, { role: undefined }, {}, { role: '' }, { role: ['admin'] }, { role: 'admin ' }])(
    'refuses %j',
    (principal) => {
      expect(() => {
        requireRole(principal, ['admin'])
      }).toThrow(expect.objectContaining(forbidden))
    },
  )

  // It once did not compile for the claims of a verifier that has no parser, or one that reads no role.
  it('takes the claims of any verifier', () => {
    const registered = { iss: 'a', aud: 'b', sub: 'u1', iat: 1, exp: 2 }
    const all: VerifiedToken<Record<string, unknown>> = { ...registered, role: 'admin' }
    const without: VerifiedToken<{ tenant: string }> = { ...registered, tenant: 't' }
    requireRole(all, ['admin'])
    expect(() => {
      requireRole(without, ['admin'])
    }).toThrow(expect.objectContaining(forbidden))
  })

  // It once compiled, and let nobody pass.
  it('is not compiled for claims that have roles and no role', () => {
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

  // Claims once had to have a `role` for certain, where they may have `roles`.
  it('is compiled for claims that may have a role beside roles', () => {
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

  it('needs a role to be named', () => {
    expect(() => {
      requireRole({ role: 'admin' }, [])
    }).toThrow(TypeError)
  })

  // It once asked whether 'admin' includes the role, which of a text any part and nothing at all is.
  it.each(['admin', '', 'adm'])('does not take a text for a list of roles, not even for %j', (role) => {
    expect(() => {
      requireRole({ role }, 'admin' as never)
    }).toThrow(new TypeError('roles must be an array of non-empty strings'))
  })

  it('does not take no role for one', () => {
    expect(() => {
      requireRole({ role: '' }, [''])
    }).toThrow(TypeError)
  })
})

describe('requireScopes', () => {
  it('lets all scopes pass that it names', () => {
    requireScopes({ scope: 'a b c' }, ['c', 'a'])
  })

  it.each([{ scope: 'a' }, { scope: 'ab' }, { scope: '' }, { scope: ['a', 'b'] }, {}])(
    'refuses %j',
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

  it.each([[[]], [['']], ['a']])('needs real scopes to be named, not %j', (scopes) => {
    expect(() => {
      requireScopes({ scope: 'a  b' }, scopes as readonly string[])
    }).toThrow(/scope/)
  })
})

describe('requireOwner', () => {
  it('lets the owner and the named roles pass', () => {
    requireOwner({ sub: 'u1' }, 'u1')
    requireOwner({ sub: 'u2', role: 'admin' }, 'u1', { orRoles: ['admin'] })
  })

  it.each<[string, string | null | undefined]>([
    ['u2', 'u1'],
    ['', ''],
    ['u1', null],
    ['u1', undefined],
  ])('refuses %j for what %j owns', (sub, ownerId) => {
    expect(() => {
      requireOwner({ sub, role: 'admin' }, ownerId)
    }).toThrow(expect.objectContaining(forbidden))
  })

  it.each([undefined, null])('refuses a principal without a sub for what %j owns', (nobody) => {
    expect(() => {
      requireOwner({ sub: nobody } as never, nobody)
    }).toThrow(expect.objectContaining(forbidden))
  })

  it('does not take a text for a list of roles, for the owner neither', () => {
    for (const sub of ['u1', 'u2']) {
      expect(() => {
        requireOwner({ sub, role: 'adm' }, 'u1', { orRoles: 'admin' as never })
      }).toThrow(new TypeError('orRoles must be an array of non-empty strings'))
    }
  })
})
