import { createOidcClient } from '@sallyport/auth/oidc'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { apiPath, consolePath } from '../http/path.ts'
import type { Settings } from './settings.ts'

/** The options of a client of the issuer, without the secrets of its cookies. */
export type Issuer = Omit<Parameters<typeof createOidcClient>[0], 'secrets'>

export const issuerSecretNames = ['OIDC_CLIENT_SECRET', 'OIDC_PRIVATE_KEY']

/** Reads the issuer where users log in, and adds its problems to the list; undefined without one. */
export function readIssuer(settings: Settings, given: SecretStore, problems: string[]): Issuer | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = settings
  if (issuer === undefined) {
    if (settings.PASSWORD_LOGIN === 'off') problems.push('PASSWORD_LOGIN=off needs OIDC_ISSUER')
    return undefined
  }
  const needed = { OIDC_CLIENT_ID: clientId, OIDC_ROLES: settings.OIDC_ROLES, PUBLIC_URL: publicUrl }
  const missing = Object.entries(needed).filter(([, value]) => value === undefined)
  problems.push(...missing.map(([name]) => `OIDC_ISSUER needs ${name}`))
  if (clientId === undefined || publicUrl === undefined) return undefined

  const [clientSecret, privateKey] = issuerSecretNames.map((name) => given.one(name))
  const options = {
    ...{ issuer, clientId, scope: settings.OIDC_SCOPE },
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    redirectUri: `${publicUrl}${apiPath}/sessions/sso/callback`,
    home: new URL(publicUrl + (settings.CONSOLE ? consolePath : '/')).pathname,
  }
  try {
    createOidcClient({ ...options, secrets: ['-'.repeat(32)] })
  } catch (error) {
    problems.push(
      `OIDC_ISSUER, OIDC_CLIENT_SECRET, OIDC_PRIVATE_KEY, PUBLIC_URL: ${(error as Error).message}`,
    )
  }
  return options
}
