import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** The claims of the user who logs in. */
export interface IssuerUser {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** An issuer of OpenID Connect in this process. */
export interface TestIssuer extends AsyncDisposable {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** The user who logs in, without a page; undefined refuses. */
  user: IssuerUser | undefined
  /** Replaces the keys that sign. */
  readonly rotateKeys: () => void
  /**
   * Follows an address of the issuer like a browser; resolves to the first address outside of it. `cookies` are those of one
   * browser.
   */
  readonly follow: (location: string, cookies?: Map<string, string>) => Promise<URL>
}

/** Starts `oidc-provider`, a certified issuer. `publicKey` is the key of a client that authenticates by `private_key_jwt`. */
export async function startIssuer({
  redirectUris,
  logoutUris = [],
  publicKey,
}: {
  readonly redirectUris: readonly string[]
  readonly logoutUris?: readonly string[]
  readonly publicKey?: KeyObject
}): Promise<TestIssuer> {
  let user: IssuerUser | undefined
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['sallyport', randomUUID()]

  function createProvider(): void {
    const provider = new Provider(url, {
      jwks: { keys: [createKey()] },
      clients: [
        {
          client_id: clientId,
          redirect_uris: [...redirectUris],
          post_logout_redirect_uris: [...logoutUris],
          id_token_signed_response_alg: 'ES256',
          ...(publicKey
            ? {
                token_endpoint_auth_method: 'private_key_jwt',
                jwks: { keys: [publicKey.export({ format: 'jwk' })] },
              }
            : { client_secret: clientSecret }),
        },
      ],
      // The ID token has the claims, as at most issuers.
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'name', 'email', 'email_verified', 'groups'] },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...user, sub: id }) }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          logoutSource(context, form) {
            context.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
          },
        },
      },
      cookies: { keys: [randomUUID()] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      loadExistingGrant: (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId,
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        return grant.save().then(() => grant)
      },
    })
    provider.on('server_error', (_, error) => {
      throw error
    })
    const callback = provider.callback()
    handle = (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return callback(request, response)
      const result =
        user === undefined
          ? { error: 'access_denied', error_description: 'No' }
          : { login: { accountId: user.sub } }
      return provider.interactionFinished(request, response, result)
    }
  }
  createProvider()

  return {
    url,
    clientId,
    clientSecret,
    get user() {
      return user
    },
    set user(next) {
      user = next
    },
    rotateKeys: createProvider,
    async follow(location, cookies = new Map()) {
      let next = new URL(location)
      while (next.origin === url) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const target = response.headers.get('location')
        if (target === null) throw new Error(`The issuer shows a page: ${await response.text()}`)
        next = new URL(target, next)
      }
      return next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' }
}
