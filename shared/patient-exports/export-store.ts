/** The key of the file. Each patient has one key, so that erasing it erases every export ever made. */
export function patientExportKey(projectId: string, patientId: string): string {
  return `exports/${projectId}/${patientId}.zip`;
}
