"""Writes a module with two kernels: of 512 parameters and of 513."""


def main():
    print("gpu.module @m {")
    for count in (512, 513):
        middle = ", ".join(f"%p{k}: i32" for k in range(count - 3))
        print(f"gpu.func @k{count}(%x: memref<?xf32> {{llvm.noalias}}, %v: f32, {middle},"
              " %last: index) kernel attributes {chi.kernel_abi ="
              " #chi.kernel_abi<params = [data(0)]>} {")
        print("memref.store %v, %x[%last] : memref<?xf32>")
        print("gpu.return\n}")
    print("}")


if __name__ == "__main__":
    main()
