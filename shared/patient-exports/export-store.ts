/** Where the file is. Each patient has one place, so that erasing it erases every export that was ever made. */
export function patientExportKey(projectId: string, patientId: string): string {
  return `exports/${projectId}/${patientId}.zip`;
}
