import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { answer, observed } from './answer.js';
import { logger, metrics } from './powertools.js';
import { storeProduct } from './product-table.js';

/** PUT /products/{id} */
export const handler = observed(async ({ pathParameters, body }) => {
  let product;
  try {
    product = JSON.parse(body ?? '');
  } catch {
    logger.warn('The body is not JSON');
    return answer(400, { message: 'The body is not JSON' });
  }
  if (pathParameters?.id === undefined || product.id !== pathParameters.id) {
    logger.warn('The identifiers differ');
    return answer(400, { message: 'The product has another identifier than the path' });
  }
  await storeProduct(product);
  metrics.addMetric('productCreated', MetricUnit.Count, 1);
  return answer(201, { message: 'Product created' });
});
