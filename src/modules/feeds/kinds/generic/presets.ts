import type { Feed } from '../../../../generated/prisma/client.ts'
import type { feedPresets } from '../../input.ts'

type Preset = {
  settings: Partial<Feed> & { mapping: string; signatureHeader: string }
  /** Whether the system makes the secret, not this service. */
  isSecretFromVendor: boolean
}

/** Of the webhooks `orders/paid`, `orders/updated`, `orders/cancelled` and `refunds/create`. */
const shopify = `(
  $total := function($numbers) { $round($sum($append([0], $numbers)), 3) };
  $refund := function($one, $order) {(
    $paid := $one.transactions[kind = "refund" and status = "success"];
    $count($paid) = 0 ? [] : {
      "type": "refund",
      "id": "refund_" & $string($one.id),
      "saleId": $string($order),
      "amount": $total($paid.$number(amount)),
      "currency": $paid[0].currency,
      "occurredAt": $one.created_at
    }
  )};
  $tax := function($lines) { $total($lines.tax_lines.$number(price)) };
  $isPaid := financial_status in ["paid", "partially_refunded", "refunded"];
  $event := $;
  $exists(line_items) ? (
    $includesTax := taxes_included = true;
    $shipping := $total(shipping_lines.$number(discounted_price ? discounted_price : price));
    [
      $isPaid ? {
        "type": "sale",
        "id": $string(id),
        "amount": $number(total_price),
        "tax": $number(total_tax),
        "shipping": $round($shipping - ($includesTax ? $tax(shipping_lines) : 0), 3),
        "discount": $number(total_discounts),
        "currency": currency,
        "occurredAt": processed_at ? processed_at : created_at,
        "customerId": customer.id ? $string(customer.id),
        "email": email ? email : customer.email,
        "name": customer.first_name ? $trim(customer.first_name & " " & customer.last_name),
        "referralId": note_attributes[name = "referral"][0].value,
        "coupon": discount_codes.code[],
        "items": [line_items[$boolean(product_id)].{
          "productId": $string(product_id),
          "name": title,
          "quantity": quantity,
          "amount": $round(
            $number(price) * quantity
              - $total(discount_allocations.$number(amount))
              - ($includesTax ? $tax($) : 0), 3)
        }]
      },
      refunds.$refund($, $event.id),
      cancelled_at and $isPaid = false
        ? { "type": "void", "saleId": $string(id), "occurredAt": cancelled_at }
    ]
  ) : $exists(order_id) and $exists(refund_line_items) ? $refund($event, order_id)
)`

/** Of the webhooks "Order created" and "Order updated". */
const woocommerce = `(
  $order := $;
  $utc := function($time) { $time ? $time & "Z" };
  $isPaid := $exists(date_paid_gmt) and date_paid_gmt != null;
  $exists(line_items) and $isPaid ? [
    {
      "type": "sale",
      "id": $string(id),
      "subscriptionId": $string(meta_data[key = "_subscription_renewal"][0].value),
      "amount": $number(total),
      "tax": $number(total_tax),
      "shipping": $number(shipping_total),
      "discount": $number(discount_total),
      "currency": currency,
      "occurredAt": $utc(date_paid_gmt),
      "customerId": customer_id > 0 ? $string(customer_id),
      "email": billing.email,
      "name": $trim(billing.first_name & " " & billing.last_name),
      "referralId": meta_data[key = "referral"][0].value,
      "coupon": coupon_lines.code[],
      "items": [line_items[$boolean(product_id)].{
        "productId": $string(product_id),
        "name": name,
        "quantity": quantity,
        "amount": $number(total)
      }]
    },
    refunds.{
      "type": "refund",
      "id": "refund_" & $string(id),
      "saleId": $string($order.id),
      "amount": $abs($number(total)),
      "currency": $order.currency,
      "occurredAt": $utc($order.date_modified_gmt)
    },
    status in ["cancelled", "failed", "trash"]
      ? { "type": "void", "saleId": $string(id), "occurredAt": $utc(date_modified_gmt) }
  ]
)`

/** Mappings and signatures of systems that have no kind of their own. A new feed takes them as its settings. */
export const presets: Record<(typeof feedPresets)[number], Preset> = {
  shopify: {
    settings: { mapping: shopify, signatureHeader: 'X-Shopify-Hmac-Sha256', signatureEncoding: 'base64' },
    isSecretFromVendor: true,
  },
  woocommerce: {
    settings: { mapping: woocommerce, signatureHeader: 'X-WC-Webhook-Signature', signatureEncoding: 'base64' },
    isSecretFromVendor: false,
  },
}
