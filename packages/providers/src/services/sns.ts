import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { sns as snsSignature, snsHandshake } from '@sallyport/webhooks/sns'

/** Amazon SNS: HTTPS subscriptions of topics. */
export const sns = defineService({
  name: 'sns',
  signature: snsSignature(),
  handshake: snsHandshake(),
  kind: 'Type',
  id: 'MessageId',
  subject: 'TopicArn',
  time: 'Timestamp',
})

export const facts: ServiceFacts = {
  title: 'Amazon SNS',
  docs: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
  checked: '2026-11',
  sources: [
    'https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html',
    'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
    'https://docs.amazonaws.cn/en_us/sns/latest/dg/SendMessageToHttp.retry.html',
  ],
  identity: 'https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html',
  confidence: 'primary',
  setup: [
    'Create a subscription of the topic with the protocol HTTPS and the address, without raw message delivery. The gateway confirms the subscription.',
    'The secret is the `TopicArn`. Configure each topic as a secret.',
    'For Amazon SES, use `ses`.',
  ],
  retries: 'three times, 20 seconds apart, or by the delivery policy of the topic, for up to an hour',
  traps: [
    'Every AWS account can sign messages: only the configured topics are accepted.',
    'Raw message delivery has no signature, and is refused.',
    '`MessageAttributes` and `UnsubscribeURL` are not signed, and are not part of the event.',
    '`Message` is a text, often JSON.',
  ],
}
