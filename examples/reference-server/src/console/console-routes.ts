import { createConsoleRoutes, isConsoleBuilt } from '@sallyport/console'
import type { RouteBinding } from '@sallyport/rest'
import type { RequestContext } from '@sallyport/sql/accounts'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../logging/log.ts'

/**
 * Creates the routes of the operators' console; undefined if the console is not built, as with `npm run dev` before the first
 * build.
 */
export function consoleRoutes(
  { OIDC_ISSUER, OIDC_NAME, PASSWORD_LOGIN }: Settings,
  log: Pick<Logger, 'debug'>,
): readonly RouteBinding<RequestContext>[] | undefined {
  if (!isConsoleBuilt()) {
    log.debug('There is no console, because it is not built: run "npm start" or "npm run build"')
    return undefined
  }
  // Relative, for a proxy that adds a prefix.
  return createConsoleRoutes({
    api: '../api/v1',
    document: '../api/openapi.json',
    login: {
      sessions: '../api/v1/sessions/cookie',
      ...(OIDC_ISSUER !== undefined && {
        singleSignOn: { address: '../api/v1/sessions/sso', name: OIDC_NAME },
        arePasswordsUsual: PASSWORD_LOGIN === 'on',
      }),
    },
  })
}
