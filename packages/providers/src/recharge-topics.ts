import { listNames } from './agreement.ts'

/** The topics of Recharge, each after the resource that the body has. */
export const topics = listNames({
  'address/': 'created updated',
  'async_batch/': 'processed',
  'bundle_selection/': 'created updated deleted',
  'charge/': 'created failed max_retries_reached paid refunded uncaptured upcoming updated deleted',
  'checkout/': 'created completed processed updated',
  'customer/': 'activated created deactivated payment_method_updated updated deleted',
  'gift_purchase/': 'created redeemed',
  'onetime/': 'created deleted updated',
  'order/': 'cancelled created deleted processed payment_captured upcoming updated success',
  'plan/': 'created deleted updated',
  'product/': 'created updated deleted',
  'recharge/': 'uninstalled',
  'store/': 'updated',
  'subscription/':
    'activated cancelled created deleted skipped removed_from_skipped_charge updated unskipped swapped paused',
})
