import { createMemoryInbox, type DeclaredEndpoint } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

it('lists the endpoints of a file', async () => {
  const declaredEndpoints = (): readonly DeclaredEndpoint[] => [
    {
      ...{ id: 'beta', provider: 'doorbell', name: 'Beta', status: 'active', secrets: 2 },
      options: { only: ['push'], toleranceSeconds: 60 },
    },
    { id: 'acme', provider: 'doorbell', status: 'disabled', secrets: 0 },
  ]
  const gatewayUrl = 'https://hooks.example.com/webhooks'
  const operations = { inbox: createMemoryInbox(), declaredEndpoints, gatewayUrl, secrets }
  const call = createCall(await hosts['fetch']!(createOperations({ operations }, { authorize })), 'read')
  expect((await call('GET', '/declared-endpoints')).body).toMatchObject({
    data: [
      { id: 'acme', name: null, status: 'disabled', secrets: 0, options: {} },
      {
        ...{ id: 'beta', provider: 'doorbell', name: 'Beta', status: 'active', secrets: 2 },
        url: 'https://hooks.example.com/webhooks/doorbell/beta',
        options: { only: ['push'], tolerance_seconds: 60 },
      },
    ],
    meta: { total: 2 },
  })
})
