import { SignJWT } from 'jose'
import { createPrivateKey } from 'node:crypto'

/**
 * Creates a function that signs a JWT of an app. GitHub allows ten minutes, and its clock can be behind.
 *
 * @param privateKey the file from the settings of the app: PEM in PKCS #1
 * @see https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function createAppToken(clientId: string, privateKey: string): () => Promise<string> {
  const key = createPrivateKey(privateKey)
  return () =>
    new SignJWT()
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(clientId)
      .setIssuedAt('60s ago')
      .setExpirationTime('9m')
      .sign(key)
}
