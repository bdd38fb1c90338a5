import type { KeyRing } from '@sallyport/auth'
import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { Caller, RequestContext } from './context.ts'

const route = createRouteGroup<Caller>({ tags: ['service'], access: 'public' })

const publicKey = z
  .object({
    kty: z.string(),
    kid: z.string().meta({ description: 'The id of the key in the header of a token.' }),
    alg: z.enum(['EdDSA', 'Ed25519', 'ES256', 'RS256']),
    use: z.literal('sig'),
    crv: z.string().optional(),
    x: z.string().optional(),
    y: z.string().optional(),
    e: z.string().optional(),
    n: z.string().optional(),
  })
  .meta({
    id: 'PublicKey',
    description: 'A public JSON Web Key: RFC 7517.',
    // The key of RFC 8037, appendix A.
    examples: [
      {
        kty: 'OKP',
        kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        alg: 'EdDSA',
        use: 'sig',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      },
    ],
  })

/** Creates the route of the public keys, with which other services verify access tokens. */
export function keySetRoutes(keys: Pick<KeyRing, 'jwks'>): readonly RouteBinding<RequestContext>[] {
  return [
    route.get(
      '/.well-known/jwks.json',
      {
        operationId: 'getKeySet',
        summary: 'Get the public keys of access tokens',
        description: 'Empty while tokens are signed with a secret.',
        responses: {
          200: { description: 'The keys', body: z.object({ keys: z.array(publicKey).readonly() }) },
        },
        etag: true,
      },
      () => ({
        status: 200,
        // Public and cacheable: verifiers fetch the set again for an unknown key.
        headers: { 'Cache-Control': 'public, max-age=300', Vary: 'Accept' },
        body: keys.jwks(),
      }),
    ),
  ]
}
