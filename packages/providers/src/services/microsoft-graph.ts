import { bodyToken, defineService, type ServiceFacts } from '@sallyport/webhooks'
import { graphHandshake } from '@sallyport/webhooks/handshakes'

/** Microsoft Graph: change notifications of Outlook, Teams, SharePoint and Entra ID. */
export const microsoftGraph = defineService({
  name: 'microsoft-graph',
  signature: bodyToken('value.*.clientState'),
  handshake: graphHandshake(),
  events: 'value.*',
  kind: [(event) => readType(event), (event) => readChange(event)],
  // The tokens expire.
  ignore: ['/validationTokens'],
  // OneDrive, lists of SharePoint and lifecycle events repeat equal notifications.
  distinct: (event) => isUndated(event),
  subject: 'resource',
  answer: { status: 202 },
})

interface Notification {
  readonly id?: string
  readonly changeType?: string
  readonly lifecycleEvent?: string
  readonly resource?: string
  readonly resourceData?: { readonly '@odata.type'?: string; readonly '@odata.etag'?: string } | null
}

/** The type of the resource, such as `Message` of `#Microsoft.Graph.Message`, or `lifecycle`. */
function readType(event: unknown): string {
  const { lifecycleEvent, resourceData } = Object(event) as Notification
  if (lifecycleEvent !== undefined) return 'lifecycle'
  return resourceData?.['@odata.type']?.replace(/^#microsoft\.graph\./i, '') ?? 'resource'
}

function readChange(event: unknown): string | undefined {
  const { lifecycleEvent, changeType } = Object(event) as Notification
  return lifecycleEvent ?? changeType
}

/** Not every resource has an id of the notification or a version. */
function isUndated(event: unknown): boolean {
  const { id, resourceData } = Object(event) as Notification
  return id === undefined && resourceData?.['@odata.etag'] === undefined
}

export const facts: ServiceFacts = {
  title: 'Microsoft Graph',
  docs: 'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks',
    'https://learn.microsoft.com/en-us/graph/change-notifications-lifecycle-events',
    'https://github.com/microsoftgraph/msgraph-typescript-typings',
  ],
  setup: [
    'Create a subscription with `POST https://graph.microsoft.com/v1.0/subscriptions`: `notificationUrl` and `lifecycleNotificationUrl` are the address, and `clientState` is a random text of at most 128 characters. The gateway answers the validation.',
    'The secret is `clientState`.',
    'Extend the subscription before `expirationDateTime`.',
  ],
  retries: 'for up to 4 hours',
  traps: [
    '`clientState` says nothing about the notification. Each notification of a delivery must have it, and events do not.',
    'A delivery can have several notifications: each is an event.',
    'A notification without an id and without a version, such as one of OneDrive or of the lifecycle, can repeat for another change: each delivery is an event, a repeated attempt too.',
    'Encrypted content passes through as Graph sends it. The provider does not check `validationTokens`.',
    'Graph expects an answer within 3 seconds.',
  ],
}
