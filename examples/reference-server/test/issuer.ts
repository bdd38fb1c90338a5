import { startIssuer, type TestIssuer } from '@sallyport/test-support/issuer'
import { unusedPort } from '@sallyport/test-support/services'
import { startApi, type TestApi } from './api.ts'

/** The server with an issuer on another site. */
export interface TestSingleSignOn extends AsyncDisposable {
  readonly api: TestApi
  readonly issuer: TestIssuer
}

export const ann = {
  ...{ sub: 'ann-7', name: 'Ann', email: 'ann@example.com', email_verified: true, groups: ['platform'] },
}

export async function startSingleSignOn(
  environment: Readonly<Record<string, string>> = {},
  write?: (line: string) => void,
): Promise<TestSingleSignOn> {
  const port = await unusedPort()
  const base = `http://127.0.0.1:${port}`
  const issuer = await startIssuer({
    redirectUris: [`${base}/api/v1/sessions/sso/callback`],
    logoutUris: [`${base}/console`],
  })
  issuer.user = ann
  const api = await startApi(
    {
      ...{ PORT: String(port), PUBLIC_URL: base, OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: issuer.clientId },
      ...{ OIDC_CLIENT_SECRET: issuer.clientSecret, OIDC_NAME: 'Example' },
      OIDC_ROLES: '{"platform": "admin", "support": "read,replay"}',
      ...environment,
    },
    undefined,
    write,
  )
  return {
    ...{ api, issuer },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}
