import { RefreshTokenReuse } from '@sallyport/auth'
import { isSallyportError } from '@sallyport/errors'
import { createMemoryRateLimit, type ApiEvent } from '@sallyport/rest'
import {
  RefusalCause,
  type AccountEvent,
  type Caller,
  type ReportAccountEvent,
} from '@sallyport/sql/accounts'
import { apiPath } from '../http/path.ts'
import type { Logger } from './log.ts'

/** Logs requests of the REST API that concern security, one line per request. No line has a token, an e-mail or a body. */
export interface SecurityLog {
  /** Logs a successful request. */
  readonly logSuccess: ReportAccountEvent
  /** Logs a refused request (401, 403, 429), and every request with `logsAccess`. For `onResponse` of `createApi`. */
  readonly logResponse: (response: ApiEvent<Caller>) => void
}

export function createSecurityLog({
  log,
  logsAccess,
  now,
}: {
  readonly log: Pick<Logger, 'info'>
  /** Whether every request has an additional line. */
  readonly logsAccess: boolean
  /** A monotonic time in milliseconds. @default performance.now */
  readonly now?: () => number
}): SecurityLog {
  // Per event and user or network, so that a flood of one event hides neither other events nor other users.
  const lines = createMemoryRateLimit({ name: 'log', quota: 60, window: 60, ...(now && { now }) })

  return {
    logSuccess(event, { requestId, clientNetwork, conditions, caller }, { route, ...details }) {
      const { method } = conditions
      const userId = caller?.sub
      log.info(
        { event, method, route: apiPath + route, userId, ...details, address: clientNetwork, requestId },
        'Security',
      )
    },

    logResponse(response) {
      const { status, error, request, route, caller, clientNetwork: address, durationMs } = response
      const isRefused = status === 401 || status === 403 || status === 429
      if (!isRefused && !logsAccess) return
      const { method, requestId } = request
      const fields = {
        method,
        ...(route && { route: apiPath + route.path }),
        status,
        ...(isSallyportError(error) && { code: error.code }),
        userId: caller?.sub,
        ...(caller?.key && { keyId: caller.key.id }),
        address,
        requestId,
      }
      if (logsAccess) log.info({ ...fields, durationMs }, 'REST request')
      if (!isRefused) return
      const { event = getRefusalEvent(response), ...others } = getDetails(error)
      const { exceeded, remaining } = lines.count(`${event} ${caller?.sub ?? address}`)
      if (exceeded) return
      log.info({ event, ...fields, ...others, ...(remaining === 0 && { isLastOfMinute: true }) }, 'Security')
    },
  }
}

function getDetails(error: unknown): RefusalCause['details'] {
  const cause = isSallyportError(error) ? error.cause : undefined
  if (cause instanceof RefusalCause) return cause.details
  if (!(cause instanceof RefreshTokenReuse)) return {}
  return { event: 'refresh.replayed', targetId: cause.userId, sessionId: cause.sessionId }
}

/** The routes that log in. */
const loginOperations: readonly (string | undefined)[] = ['createSession', 'createCookieSession']

function getRefusalEvent({ status, route }: Pick<ApiEvent, 'status' | 'route'>): AccountEvent {
  if (status === 429) return 'access.limited'
  if (loginOperations.includes(route?.operationId)) return 'login.failed'
  if (route?.operationId === 'createToken') return 'refresh.failed'
  return 'access.denied'
}
