import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { TestDeliverySender } from '@sallyport/webhooks/endpoints'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import { id, textField } from '@sallyport/internal/resource-fields'
import { unknownEndpoint } from './managed-endpoints.ts'
import { endpointParams } from './schemas.ts'

const route = createRouteGroup({ tags: ['endpoints'] })

const kind = textField({ min: 1, max: 130, example: 'workflow_run.completed' })

const testDeliveryBody = z.strictObject({ kind }).meta({ id: 'CreateTestDelivery' })

const testDeliveryResource = z
  .object({
    kind,
    outcome: z.enum(['accepted', 'duplicate', 'ignored', 'quarantined', 'refused', 'handshake']).meta({
      description: '`handshake`: the gateway answered the sample as a challenge of the service.',
    }),
    status: z.int().meta({ description: 'The HTTP status of the gateway.', examples: [200] }),
    delivery_id: id.nullable().meta({
      description: 'The recorded delivery; null for a delivery that is not recorded.',
      examples: ['01890a5d-ac96-774b-bcce-b302099a8057'],
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'The reason of a quarantine, or the kind of an ignored delivery.',
        examples: [null],
      }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'The error code of a refusal.', examples: [null] }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'The error of a refusal.', examples: [null] }),
  })
  .meta({ id: 'TestDelivery' })

/** Creates the route that sends a test delivery to an endpoint. */
export function testDeliveryRoute(
  send: TestDeliverySender,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/endpoints/{id}/test-deliveries',
    {
      operationId: 'createTestDelivery',
      tool: {},
      summary: 'Send a test delivery to an endpoint',
      description:
        'Signs a new sample of the provider with the newest secret of the endpoint, and passes the sample through the gateway. An accepted sample is published like other events.',
      access,
      params: endpointParams,
      body: testDeliveryBody,
      bodyExample: { kind: 'workflow_run.completed' },
      responses: { 200: { description: 'The response of the gateway', data: testDeliveryResource } },
      errors: ['NOT_FOUND', 'CONFLICT'],
      idempotencyKey: true,
    },
    async ({ params, body }, context) => {
      const { requestId } = context
      const result = requireFound(await send(params.id, body.kind, { requestId }), unknownEndpoint)
      const { outcome, status, deliveryId = null, reason = null, error } = result
      await record(context, 'endpoint.test', {
        target: params.id,
        detail: { kind: body.kind, outcome, delivery_id: deliveryId },
      })
      return {
        status: 200,
        body: dataEnvelope({
          ...{ kind: body.kind, outcome, status, delivery_id: deliveryId, reason },
          code: error?.code ?? null,
          message: error?.message ?? null,
        }),
      }
    },
  )
}
