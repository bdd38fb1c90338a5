import { isSallyportError } from '@sallyport/errors'
import type { Config } from './config.ts'
import { webhookSecretName } from './secrets.ts'

/** Reports secrets that the signature scheme of the provider rejects; no message contains a secret. */
export async function unusableSecretProblems({
  providers,
  givenSecrets,
}: Pick<Config, 'providers' | 'givenSecrets'>): Promise<readonly string[]> {
  const problems = await Promise.all(
    providers.map(async ({ name, signature }) => {
      const variable = webhookSecretName(name)
      try {
        for (const secret of givenSecrets.all(variable)) await signature.checkSecret?.(secret)
        return []
      } catch (error) {
        const why = isSallyportError(error) ? `: ${error.message}` : ''
        return [`${variable} holds a secret that ${name} cannot use${why}`]
      }
    }),
  )
  return problems.flat()
}
