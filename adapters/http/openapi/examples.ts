/** Requests as people send them and what comes back, by operation. */
export const EXAMPLES: Readonly<Record<string, { readonly request?: object; readonly response?: object }>> = {
  convert: { request: { preset: 'logo', quality_tier: 'balanced_crisp' } },
  convertBatch: { request: { preset: 'illustration', quality_tier: 'fast' } },
  exportDrawing: {
    request: {
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20" fill="#c03"/></svg>',
      format: 'pdf',
      filenameBase: 'logo',
      exportOptions: { width: 80, unit: 'mm' },
    },
    response: {
      downloadPathBasename: 'hK3v0Zr1QyW8mT5xB2nC9g',
      downloadActualFilename: 'logo.pdf',
      convertedFileSize: 1042,
      actualFormat: 'pdf',
      warnings: [],
      size: { width: 80, height: 40, unit: 'mm' },
    },
  },
  exportZip: {
    request: {
      items: [
        { svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>', format: 'png' },
      ],
    },
    response: {
      zipBasename: 'hK3v0Zr1QyW8mT5xB2nC9g',
      zipFilename: 'burin-export.zip',
      itemCount: 1,
      failed: [],
      warnings: [],
    },
  },
};
