import { RefreshTokenReuse } from '@sallyport/auth'
import { isSallyportError } from '@sallyport/errors'
import { createMemoryRateLimit, type ApiEvent } from '@sallyport/rest'
import type { Caller } from './context.ts'
import { RefusalCause, type AccountEvent, type ReportAccountEvent, type SecurityEvent } from './events.ts'

export interface SecurityEvents {
  /** Reports a successful request. */
  readonly report: (...event: Parameters<ReportAccountEvent>) => void
  /** Reports a refused request: 401, 403 and 429. */
  readonly onResponse: (response: ApiEvent<Caller>) => void
}

/** Creates the events of requests that concern security, one for each request. */
export function createSecurityEvents(
  onEvent: (event: SecurityEvent) => void,
  mountPath = '',
): SecurityEvents {
  // Per event and user or network, so that a flood of one event hides neither other events nor other users.
  const reported = createMemoryRateLimit({ name: 'log', quota: 60, window: 60 })
  return {
    report(event, { requestId, clientNetwork, conditions, caller }, { route, ...details }) {
      const { method } = conditions
      const userId = caller?.sub
      const place = { address: clientNetwork, requestId }
      onEvent({ event, method, route: mountPath + route, userId, ...details, ...place })
    },

    onResponse(response) {
      const { status, error, request, route, caller, clientNetwork: address } = response
      if (status !== 401 && status !== 403 && status !== 429) return
      const { event = getRefusalEvent(response), ...details } = getDetails(error)
      const { exceeded, remaining } = reported.count(`${event} ${caller?.sub ?? address}`)
      if (exceeded) return
      onEvent({
        event,
        method: request.method,
        ...(route && { route: mountPath + route.path }),
        status,
        ...(isSallyportError(error) && { code: error.code }),
        userId: caller?.sub,
        ...(caller?.key && { keyId: caller.key.id }),
        ...{ address, requestId: request.requestId, ...details },
        ...(remaining === 0 && { isLastOfMinute: true }),
      })
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
