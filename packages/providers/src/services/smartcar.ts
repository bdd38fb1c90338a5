import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { refuseSignable } from '@sallyport/webhooks/handshakes'
import { smartcarChallenge } from '../smartcar-challenge.ts'

const header = 'sc-signature'
const signature = refuseSignable(hmac({ algorithm: 'sha256', encoding: 'hex', header }))

/** Smartcar: webhooks of vehicles. */
export const smartcar = defineService({
  name: 'smartcar',
  createsSecret: true,
  signature,
  kind: 'eventType',
  id: 'eventId',
  subject: 'data.vehicle.id',
  time: 'meta.deliveredAt',
  handshake: smartcarChallenge(signature, header),
})

export const facts: ServiceFacts = {
  title: 'Smartcar',
  docs: 'https://smartcar.com/docs/integrations/webhooks/payload-verification',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://smartcar.com/docs/integrations/webhooks/payload-verification',
    'https://smartcar.com/docs/integrations/webhooks/callback-verification',
    'https://smartcar.com/docs/integrations/webhooks/best-practices/security',
    'https://smartcar.com/docs/api-reference/webhooks/events/vehicle-state',
  ],
  identity: 'https://smartcar.com/docs/integrations/webhooks/best-practices/security',
  setup: [
    'Add a webhook with the address in the dashboard. The gateway answers the challenge with the newest secret.',
    'The secret is the Application Management Token.',
  ],
  retries: 'unknown',
  traps: [
    'Webhooks before version 4.0 have other members: their challenge is not answered, and their kind is `unknown`.',
    'An event `VEHICLE_STATE` has all signals of the webhook: `triggers` names the changed ones.',
    'Two webhooks at one address send one event twice: the second one is a duplicate.',
  ],
}
