import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { answer, observed } from './answer.js';
import { logger, metrics } from './powertools.js';
import { findProduct } from './product-table.js';

/** GET /products/{id} */
export const handler = observed(async ({ pathParameters }) => {
  const product = await findProduct(pathParameters?.id);
  if (product === undefined) {
    logger.warn('There is no such product');
    return answer(404, { message: 'There is no such product' });
  }
  metrics.addMetric('productRetrieved', MetricUnit.Count, 1);
  return answer(200, product);
});
