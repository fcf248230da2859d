import * as z from 'zod/mini';
import file from './prices.json' with { type: 'json' };

const Price = z.strictObject({
  /** US dollars for `per` units. */
  price: z.number(),
  per: z.number(),
  unit: z.string(),
  source: z.string(),
});
export type Price = z.infer<typeof Price>;

const AwsPrices = z.strictObject({
  lambda_request: Price,
  lambda_gb_second: Price,
  dynamodb_write_unit: Price,
  dynamodb_read_unit: Price,
  sqs_request: Price,
  s3_write: Price,
  s3_read: Price,
  kms_request: Price,
  secrets_request: Price,
  rest_request: Price,
  websocket_message: Price,
  websocket_minute: Price,
  log_gigabyte: Price,
  metric_month: Price,
  alarm_month: Price,
  composite_alarm_month: Price,
  dashboard_month: Price,
  kms_key_month: Price,
  secret_month: Price,
});
export type AwsPrices = z.infer<typeof AwsPrices>;

const PriceList = z.strictObject({
  note: z.string(),
  date: z.iso.date(),
  regions: z.record(z.string(), AwsPrices),
  /** The carrier's, which depend on the contract. */
  assumptions: z.strictObject({
    carrier_minute: Price,
    relay_minute: Price,
    recording_minute: Price,
    detection: Price,
  }),
});
export type PriceList = z.infer<typeof PriceList>;

export const priceList: PriceList = PriceList.parse(file);
