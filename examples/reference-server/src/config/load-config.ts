import { builtInProviders } from '@sallyport/providers'
import { readGenericServices } from '@sallyport/providers/generic'
import { openEndpointsFile } from '@sallyport/webhooks/endpoints-file'
import { loadProviderModules } from '@sallyport/webhooks/node'
import { z } from 'zod'
import { endpointsFileName } from '../endpoints/open-endpoints.ts'
import { unusableSecretProblems } from './checks.ts'
import { readConfig, type Config, type ConfigResult } from './config.ts'
import { separateProviderSecrets } from './separated-secrets.ts'

/** Reads the configuration with all files and modules that the environment names, or lists all its problems. */
export async function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ConfigResult> {
  // Provider modules may bring another version of zod. It shares the global settings, but may not support the compiler.
  z.config({ postProcessor: undefined })
  const modules = await loadProviderModules(environment['PROVIDER_MODULES'], process.cwd())
  const generic = await readGenericServices(environment['GENERIC_PROVIDERS'])
  const result = readConfig(environment, builtInProviders, modules, generic)
  if ('problems' in result) return result
  const config = await separateProviderSecrets(result.config)
  const problems = await findProblems(config)
  return problems.length > 0 ? { problems } : { config }
}

/** Finds the problems of secrets and of ENDPOINTS_FILE. */
async function findProblems(config: Config): Promise<readonly string[]> {
  const { providers, secrets, settings } = config
  const unusable = await unusableSecretProblems(config)
  const { ENDPOINTS_FILE: path } = settings
  if (path === undefined) return unusable
  try {
    const file = await openEndpointsFile(path, { name: endpointsFileName, providers, secrets })
    file.close()
    return unusable
  } catch (error) {
    return [...unusable, ...(error as Error).message.split('\n')]
  }
}
