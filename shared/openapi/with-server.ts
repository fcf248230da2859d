export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The document as served. @param baseUrl without trailing slash */
export function withServer(document: OpenApiDocument, baseUrl: string): OpenApiDocument {
  return { ...document, servers: [{ url: baseUrl }] };
}
