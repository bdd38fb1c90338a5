import { listNames } from './agreement.ts'

const promotions = [
  'buy_x_pay_y',
  'external',
  'fixed_amount',
  'fixed_price',
  'free_gift',
  'free_shipping',
  'percentage_discount',
].map((kind) => [`${kind}_promotions.`, 'create tagged destroy'] as const)

const process = 'create start complete interrupt destroy'
const transaction = 'create succeeded failed'

/** The topics of Commerce Layer. */
export const topics = listNames({
  'addresses.': 'tagged',
  'authorizations.': transaction,
  'bundles.': 'tagged',
  'captures.': transaction,
  'cleanups.': process,
  'coupons.': 'tagged',
  'customer_addresses.': 'create destroy',
  'customer_password_resets.': 'create destroy reset_password',
  'customer_subscriptions.': 'create destroy',
  'customers.': 'create acquired repeat create_password metadata_update tagged destroy',
  'exports.': process,
  'gift_cards.': 'create purchase activate deactivate redeem use tagged destroy',
  'imports.': process,
  'in_stock_subscriptions.': 'create activate deactivate notify destroy',
  'line_item_options.': 'tagged',
  'line_items.': 'tagged',
  'order_copies.': 'create start fail complete destroy',
  'order_subscriptions.':
    'create destroy activate deactivate cancel last_run_failed last_run_succeeded renewal',
  'orders.':
    'create draft pending placing place start_editing stop_editing approve cancel authorize void pay refund ' +
    'start_fulfilling cancel_fulfilling fulfill rebuild_shipments create_subscriptions cancel_subscriptions ' +
    'tagged destroy',
  'parcels.':
    'create pre_transit in_transit out_for_delivery delivered shipped available_for_pickup booked ' +
    'return_to_sender cancelled failure destroy',
  'price_frequency_tiers.': 'create destroy',
  'price_volume_tiers.': 'create destroy',
  'promotions.': 'create tagged destroy',
  'recurring_order_copies.': 'create start fail complete destroy',
  'refunds.': transaction,
  'returns.': 'create request pending approve reject ship receive restock tagged destroy',
  'shipments.': 'create upcoming cancel on_hold picking packing ready_to_ship ship tagged destroy',
  'shipping_weight_tiers.': 'create destroy',
  'sku_options.': 'tagged',
  'skus.': 'tagged',
  'stock_transfers.': 'create upcoming picking in_transit complete cancel on_hold destroy',
  'transaction.': 'create',
  'voids.': transaction,
  ...Object.fromEntries(promotions),
})
