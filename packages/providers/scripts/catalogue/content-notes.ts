/** The signed content in words, of services whose content depends on the values of a delivery. */
export const contentNotes: Readonly<Record<string, string>> = {
  adyen:
    'For each item: `pspReference`, `originalReference`, `merchantAccountCode`, `merchantReference`, `amount.value`, `amount.currency`, `eventCode` and `success` of the item, joined by colons. A missing member is empty. Each item has a signature.',
  braintree:
    'The text of the form field `bt_payload`. `bt_signature` has pairs of a public key and a signature, `key|signature`, joined by `&`.',
  'coinbase-cdp':
    'The time, a dot and the body for `v0`. The time, a dot, the field `h`, a dot, the values of the headers that `h` lists joined by dots, a dot and the body for `v1`.',
  contentful:
    'The method, the path with the query, the headers that `x-contentful-signed-headers` lists, sorted by name, as `name:value` joined by `;`, and the body, joined by line breaks.',
  'dropbox-sign':
    'The values of `event.event_time` and `event.event_type` of the JSON in the form field `json`. The signature is in the same JSON.',
  hygraph:
    'A JSON object without white space: `Body` with the body as text, `EnvironmentName` with the field `env` of the header, and `TimeStamp` with its field `t` as a number.',
  mandrill: 'The public address, then the name and the value of each field of the form, sorted by name.',
  'mercado-pago':
    '`id:<data.id of the address>;request-id:<x-request-id>;ts:<time>;` with the id as it is or in lower case. The part of a missing id is left out.',
  moralis: 'The Keccak-256 of the body and the secret, in hexadecimal after `0x`.',
  plivo:
    'The address without its query, `?`, its sorted parameters as `name=value` joined by `&`, a dot between both if both exist, the name and the value of each field of the form, sorted, a dot, and the nonce.',
  truelayer:
    'The method in upper case and the path on one line, each header that the token lists in `tl_headers` as `Name: value` on a line, and the body.',
  twilio:
    'The public address, then the name and the value of each field of the form, sorted by name and value. For a JSON body, the address alone, with the SHA-256 of the body in its last parameter `bodySHA256`.',
}
