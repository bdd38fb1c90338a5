import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { wechatPayNotification } from '../wechat-pay-notification.ts'

/** WeChat Pay: notifications of API v3. */
export const wechatPay = defineService({
  name: 'wechat-pay',
  signature: wechatPayNotification,
  kind: 'event_type',
  id: 'id',
  subject: ['resource.mchid', 'resource.out_trade_no', 'resource.out_refund_no'],
  time: 'create_time',
  answer: { status: 204 },
})

export const facts: ServiceFacts = {
  title: 'WeChat Pay',
  docs: 'https://pay.weixin.qq.com/doc/global/v3/en/4012357152',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://pay.weixin.qq.com/docs/merchant/apis/combine-payment-identity/orders/payment-notice.html',
    'https://pay.weixin.qq.com/docs/partner/products/notification/decryption.html',
    'https://pay.weixin.qq.com/wiki/doc/api_external/en/wechatpay/wechatpay4_2.shtml',
    'https://github.com/wechatpay-apiv3/wechatpay-go/blob/main/core/notify/notify_test.go',
  ],
  identity:
    'https://pay.weixin.qq.com/docs/merchant/apis/combine-payment-identity/orders/payment-notice.html',
  setup: [
    'Send the address as `notify_url` with each order. It has no query.',
    'The secret is `key:PEM`: the API v3 key of 32 characters, a colon, and the public key of WeChat Pay in PEM (`BEGIN PUBLIC KEY`). For a platform certificate, extract its public key: `openssl x509 -pubkey -noout`.',
    'To rotate a key, add a second secret. The provider tries each of them; it ignores `wechatpay-serial`.',
  ],
  retries:
    'up to 15 times within about 24 hours: after 15 seconds, 15 seconds, 30 seconds, 3 minutes, 10 minutes, 20 minutes, then up to 6 hours',
  traps: [
    'The event has the decrypted `resource` in place of the encrypted one.',
    'A notification that the API v3 key does not decrypt is refused.',
    'WeChat Pay sends some notifications with a wrong signature, which begins with `WECHATPAY/SIGNTEST/`, as a test of the receiver: the provider refuses them.',
  ],
}
