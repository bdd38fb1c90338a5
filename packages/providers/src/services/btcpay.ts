import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** BTCPay Server: webhooks of a store. */
export const btcpay = defineService({
  name: 'btcpay',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'btcpay-sig', prefix: 'sha256=' }),
  kind: 'type',
  id: 'originalDeliveryId',
  subject: ['storeId', 'invoiceId'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'BTCPay Server',
  docs: 'https://docs.btcpayserver.org/API/Greenfield/v1/#tag/Webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.btcpayserver.org/API/Greenfield/v1/#tag/Webhooks',
    'https://github.com/btcpayserver/btcpayserver/blob/master/BTCPayServer/Plugins/Webhooks/WebhookSender.cs',
    'https://github.com/btcpayserver/btcpayserver/blob/master/BTCPayServer.Client/Models/WebhookEvent.cs',
  ],
  identity: 'https://docs.btcpayserver.org/API/Greenfield/v1/#tag/Webhooks',
  setup: [
    'Open the store, Settings, Webhooks, and create a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'after 10 seconds, 1 minute and six times 10 minutes, if automatic redelivery is on',
  traps: ['`deliveryId` is new for each attempt: the provider uses `originalDeliveryId`.'],
}
