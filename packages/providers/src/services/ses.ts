import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { sns, snsHandshake } from '@sallyport/webhooks/sns'
import { parseSnsMessage } from '../sns-message.ts'

/** Amazon SES: events of e-mails over Amazon SNS. */
export const ses = defineService({
  name: 'ses',
  signature: sns(),
  handshake: snsHandshake(),
  parse: parseSnsMessage,
  events: 'Message',
  kind: (event, { payload }) => readKind(event) ?? (Object(payload) as { Type?: unknown }).Type,
  id: '/MessageId',
  subject: ['mail.messageId', '/TopicArn'],
  time: '/Timestamp',
})

interface Message {
  readonly eventType?: string
  readonly notificationType?: string
}

/** Configuration sets write `eventType`, and feedback of an identity writes `notificationType`. */
function readKind(event: unknown): string | undefined {
  const { eventType, notificationType } = Object(event) as Message
  return eventType ?? notificationType
}

export const facts: ServiceFacts = {
  title: 'Amazon SES',
  docs: 'https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html',
  checked: '2026-11',
  sources: [
    'https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html',
    'https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html',
    'https://docs.amazonaws.cn/en_us/sns/latest/dg/SendMessageToHttp.retry.html',
  ],
  identity: 'https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html',
  confidence: 'primary',
  setup: [
    'Create an SNS topic, and select it as the destination of a configuration set or as the feedback notification of an identity.',
    'Create a subscription of the topic with the protocol HTTPS and the address, without raw message delivery. The gateway confirms the subscription.',
    'The secret is the `TopicArn`. Configure each topic as a secret.',
  ],
  retries: 'three times, 20 seconds apart, or by the delivery policy of the topic, for up to an hour',
  traps: [
    'The event is `Message` of the SNS envelope as JSON.',
    'The kind `Rendering Failure` becomes `Rendering.Failure`.',
    'The first message of a new topic has the kind `AmazonSnsSubscriptionSucceeded`, or is a text with the kind `Notification`.',
  ],
}
