import { RefreshTokenReuse } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import type { ApiEvent } from '@sallyport/rest'
import { expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { RefusalCause, type SecurityEvent } from './events.ts'
import { createSecurityEvents } from './security-events.ts'

const request = { method: 'POST', requestId: 'r1' } as ApiEvent['request']
const route = (operationId: string) => ({ operationId, path: '/sessions' }) as ApiEvent['route']

function open() {
  const events: SecurityEvent[] = []
  const { onResponse } = createSecurityEvents((event) => events.push(event), '/api')
  const respond = (response: Partial<ApiEvent<Caller>>) => {
    onResponse({
      ...{ request, route: route('listUsers'), caller: undefined, clientNetwork: '192.0.2.1' },
      ...{ status: 401, error: undefined, durationMs: 1, ...response },
    })
  }
  return { events, respond }
}

it('names the failed login, the replayed refresh token, the exceeded limit and the denied access', () => {
  const { events, respond } = open()
  const refuse = (cause: Error) => new SallyportError('INVALID_TOKEN', 'The token is not valid', { cause })
  respond({ route: route('createSession'), error: refuse(new RefusalCause({ targetId: 'ada' })) })
  const reuse = new RefreshTokenReuse({ sessionId: 's1', userId: 'ada' })
  respond({ route: route('createToken'), error: refuse(reuse) })
  respond({ route: route('createToken') })
  respond({ status: 429 })
  respond({ status: 403, caller: { sub: 'bob', role: 'user', sid: 's2' } })
  const common = { method: 'POST', route: '/api/sessions', address: '192.0.2.1', requestId: 'r1' }
  expect(events).toMatchObject([
    { ...common, event: 'login.failed', status: 401, code: 'INVALID_TOKEN', targetId: 'ada' },
    { ...common, event: 'refresh.replayed', targetId: 'ada', sessionId: 's1' },
    { ...common, event: 'refresh.failed' },
    { ...common, event: 'access.limited', status: 429 },
    { ...common, event: 'access.denied', status: 403, userId: 'bob' },
  ])
})

it('reports no other response', () => {
  const { events, respond } = open()
  for (const status of [200, 400, 404, 500]) respond({ status })
  expect(events).toEqual([])
})

it('reports at most 60 refused requests of an event and a client in a minute, and says which is the last', () => {
  const { events, respond } = open()
  for (let count = 0; count < 80; count++) respond({})
  expect(events).toHaveLength(60)
  expect(events.at(-2)).not.toHaveProperty('isLastOfMinute')
  expect(events.at(-1)).toHaveProperty('isLastOfMinute', true)
  respond({ clientNetwork: '192.0.2.2' })
  respond({ status: 429 })
  expect(events).toHaveLength(62)
})
